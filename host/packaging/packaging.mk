# The library as others link it, and its installation.
#   make install PREFIX=/usr/local DESTDIR=      program, library, headers, pkg-config, CMake, man page
#   make uninstall                               the same files, gone
#   make deb                                     Debian packages, in build/deb
#   make deb-test                                install and run them in a bare Debian (root, network)
#   make release                                 all of it from a clean clone, with checksums, in build/release
# Until 1.0 the binary interface may change with the minor version, so that is in the soname.
SOVERSION := $(basename $(VERSION))
SONAME    := libchainmail.so.$(SOVERSION)
SHARED    := $(OUT)/libchainmail.so.$(VERSION)

$(SHARED): $(OUT)/libchainmail.a
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--no-undefined -Wl,--whole-archive $< \
	    -Wl,--no-whole-archive $(LIBRARY_LDLIBS) -o $@
	@ln -sf $(@F) $(OUT)/$(SONAME) && ln -sf $(@F) $(OUT)/libchainmail.so

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
COMPLETION_DIR ?= $(PREFIX)/share/bash-completion/completions
MINIZINC_DIR   ?= $(PREFIX)/share/minizinc/solvers
# What the program starts and loads by itself: found from the program as ../lib/chainmail.
COMPANION_DIR  ?= $(PREFIX)/lib/chainmail
CMAKE_DIR   = $(LIBDIR)/cmake/chainmail
PUBLIC_HEADERS := $(addprefix host/chainmail/,chainmail.hpp options.hpp options.def)
COMPANIONS     := $(OUT)/chainmail-xrt $(OUT)/libchainmail_emu.so
# Emulated devices are installed where they have been built (make xclbin-emu).
EMULATED        = $(wildcard $(foreach kind,sw_emu.xclbin hw_emu.xclbin sw_emu.edges hw_emu.edges, \
                      $(EMU_TOPOLOGIES:%=$(OUT)/emu/%.$(kind))))

relative = $(shell realpath -m --relative-to=$(1) $(2))
fill = sed -e 's|@VERSION@|$(VERSION)|g' -e 's|@SOVERSION@|$(SOVERSION)|g' \
    -e 's|@LIBS@|$(LIBRARY_LDLIBS)|g' -e 's|@INCLUDEDIR@|$(call relative,$(1),$(INCLUDEDIR))|g'

# Installed without debug information: a twentieth of the size.
$(OUT)/stripped/%: $(OUT)/%
	@mkdir -p $(@D)
	@strip --strip-debug $< -o $@

.PHONY: install install-program install-library install-xrt uninstall
install: install-program install-library $(if $(HAVE_XRT),install-xrt) ## install below PREFIX=/usr/local (and DESTDIR=)
	@if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" -eq 0 ]; then ldconfig; fi
	@printf '%-11s %s\n' installed 'chainmail $(VERSION)' program $(DESTDIR)$(BINDIR)/chainmail \
	    manual $(DESTDIR)$(MANDIR)/man1/chainmail.1 completion $(DESTDIR)$(COMPLETION_DIR)/chainmail \
	    minizinc $(DESTDIR)$(MINIZINC_DIR)/chainmail.msc \
	    library $(DESTDIR)$(LIBDIR)/libchainmail.so headers $(DESTDIR)$(INCLUDEDIR)/chainmail \
	    XRT '$(if $(HAVE_XRT),$(DESTDIR)$(COMPANION_DIR),left out: libxrt-dev was not there)'

# The man page's options come from the program itself.
$(OUT)/chainmail.1: host/packaging/chainmail.1.in $(OUT)/chainmail
	@$(OUT)/chainmail solve --help-all | sed -n '/^Run:/,/^Examples:/p' | sed -e '$$d' -e 's/\\/\\e/g' -e 's/-/\\-/g' > $@.options
	@sed -e '/^@OPTIONS@$$/{r $@.options' -e 'd}' -e 's|@VERSION@|$(VERSION)|' $< > $@ && rm $@.options

# `minizinc --solver chainmail`: from the build folder with MZN_SOLVER_PATH=build, or installed.
describe_solver = sed -e 's|@VERSION@|$(VERSION)|' -e 's|@EXECUTABLE@|$(1)|' host/packaging/chainmail.msc.in
all $(OUT)/tests/cli: | $(OUT)/chainmail.msc
$(OUT)/chainmail.msc: host/packaging/chainmail.msc.in host/packaging/fzn-chainmail
	@mkdir -p $(@D)
	@cp host/packaging/fzn-chainmail $(@D)
	@$(call describe_solver,./fzn-chainmail) > $@

install-program: $(OUT)/stripped/chainmail $(OUT)/chainmail.1
	@install -D -m 755 $< $(DESTDIR)$(BINDIR)/chainmail
	@install -D -m 644 $(OUT)/chainmail.1 $(DESTDIR)$(MANDIR)/man1/chainmail.1
	@install -D -m 644 host/packaging/chainmail.bash $(DESTDIR)$(COMPLETION_DIR)/chainmail
	@install -D -m 755 host/packaging/fzn-chainmail $(DESTDIR)$(BINDIR)/fzn-chainmail
	@install -d $(DESTDIR)$(MINIZINC_DIR)
	@$(call describe_solver,$(call relative,$(MINIZINC_DIR),$(BINDIR)/fzn-chainmail)) \
	    > $(DESTDIR)$(MINIZINC_DIR)/chainmail.msc

LIBRARIES := $(OUT)/stripped/$(notdir $(SHARED)) $(OUT)/stripped/libchainmail.a
install-library: $(LIBRARIES)
	@install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(CMAKE_DIR) $(DESTDIR)$(INCLUDEDIR)/chainmail
	@install -m 644 $(LIBRARIES) $(DESTDIR)$(LIBDIR)
	@ln -sf $(notdir $(SHARED)) $(DESTDIR)$(LIBDIR)/$(SONAME)
	@ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libchainmail.so
	@install -m 644 $(PUBLIC_HEADERS) $(DESTDIR)$(INCLUDEDIR)/chainmail
	@$(call fill,$(LIBDIR)/pkgconfig) host/packaging/chainmail.pc.in \
	    > $(DESTDIR)$(LIBDIR)/pkgconfig/chainmail.pc
	@for file in chainmail-config chainmail-config-version; do \
	    $(call fill,$(CMAKE_DIR)) host/packaging/$$file.cmake.in > $(DESTDIR)$(CMAKE_DIR)/$$file.cmake; done

install-xrt: $(COMPANIONS) $(OUT)/chainmail-emu
	@install -D -m 755 $(OUT)/chainmail-emu $(DESTDIR)$(BINDIR)/chainmail-emu
	@install -d $(DESTDIR)$(COMPANION_DIR)/emu
	@install -m 755 $(COMPANIONS) $(DESTDIR)$(COMPANION_DIR)
	@$(if $(EMULATED),install -m 644 $(EMULATED) $(DESTDIR)$(COMPANION_DIR)/emu)

uninstall: ## remove what install put there (same PREFIX and DESTDIR)
	@rm -f $(addprefix $(DESTDIR),$(BINDIR)/chainmail $(BINDIR)/chainmail-emu \
	    $(MANDIR)/man1/chainmail.1 $(COMPLETION_DIR)/chainmail $(LIBDIR)/$(notdir $(SHARED)) \
	    $(BINDIR)/fzn-chainmail $(MINIZINC_DIR)/chainmail.msc \
	    $(LIBDIR)/$(SONAME) $(LIBDIR)/libchainmail.so $(LIBDIR)/libchainmail.a \
	    $(LIBDIR)/pkgconfig/chainmail.pc)
	@rm -rf $(addprefix $(DESTDIR),$(CMAKE_DIR) $(INCLUDEDIR)/chainmail $(COMPANION_DIR))

# ---- Debian packages -------------------------------------------------------------------------
.PHONY: deb deb-test
deb: $(OUT)/stripped/chainmail $(LIBRARIES) $(COMPANIONS) $(OUT)/chainmail-emu xclbin-emu ## Debian packages, in build/deb
	@host/packaging/make_deb $(VERSION) $(SOVERSION) $(OUT)/deb

deb-test: deb ## install the packages in a bare Debian and run them there (root, network)
	@host/packaging/test_deb $(OUT)/deb

# ---- a release -------------------------------------------------------------------------------
.PHONY: release
release: ## source, packages, wheel, container recipe and checksums, built twice and tried in a bare Debian (an hour)
	@host/packaging/make_release $(VERSION) build/release

# ---- tests: the installed copy, used as others would -----------------------------------------
$(OUT)/tests/packaging: | $(OUT)/stripped/chainmail $(LIBRARIES) $(COMPANIONS) $(OUT)/chainmail-emu \
    $(OUT)/emu/5x2.sw_emu.xclbin
$(OUT)/obj/tests/packaging/%.o: private CPPFLAGS += -DBUILD_FLAVOUR='"$(BUILD)"'
build/lint/tests/packaging/%.ok: private CPPFLAGS += -DBUILD_FLAVOUR='"release"'

# ---- a container -------------------------------------------------------------------------------
# The program on a slim Debian, the one it was built on, with the libraries it is linked to; the recipe and its files lie in
# build/image, and it is built where podman or buildah is.
IMAGE      := build/image
IMAGE_BASE ?= debian:$(shell . /etc/os-release && echo "$${VERSION_CODENAME:-stable}")-slim
.PHONY: image
image: $(OUT)/stripped/chainmail ## a container with the program: a Containerfile in build/image, built with podman or buildah
	@install -D -m 755 $< $(IMAGE)/chainmail
	@packages=$$(ldd $< | awk '$$3 ~ /^\// {print $$3}' | while read -r file; do \
	    dpkg -S "$$(readlink -f "$$file")" 2>/dev/null || true; done | cut -d: -f1 | sort -u | tr '\n' ' '); \
	sed -e "s|@BASE@|$(IMAGE_BASE)|" -e "s|@PACKAGES@|$$packages|" -e 's|@VERSION@|$(VERSION)|g' \
	    host/packaging/Containerfile.in > $(IMAGE)/Containerfile
	@if command -v podman >/dev/null; then podman build -t chainmail:$(VERSION) $(IMAGE); \
	elif command -v buildah >/dev/null; then buildah build -t chainmail:$(VERSION) $(IMAGE); \
	else echo "$(IMAGE)/Containerfile is written; podman or buildah would build it here:" \
	    "podman build -t chainmail:$(VERSION) $(IMAGE)"; fi
