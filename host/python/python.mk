# The Python package.
#   make python                 the package in build/python, for PYTHONPATH
#   make wheel                  a wheel in build/wheel, for pip; needs no network
#   PYTHON=python3.12           another interpreter from 3.9 on; its name is in the module's and the wheel's
# Evaluated only where needed: other targets work without an interpreter.
PYTHON_SUFFIX  = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
PYTHON_INCLUDE = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
PYTHON_TAG     = $(patsubst .%.so,%,$(PYTHON_SUFFIX))
MODULE_SOURCES := $(wildcard host/python/*.cpp)
PACKAGE_FILES  := $(wildcard host/python/chainmail/*.py host/python/chainmail/*.pyi) host/python/chainmail/py.typed
PACKAGE        := $(OUT)/python/chainmail
# The module's path holds for the libraries of libraries too (the older kind of tag).
MODULE_LDFLAGS  = -Wl,--disable-new-dtags -Wl,-rpath,'$$ORIGIN/libs' \
                  $(if $(filter release,$(BUILD)),-Wl$(comma)--strip-debug)
MODULE_FLAGS    = -Ihost/python -isystem $(PYTHON_INCLUDE) -fvisibility=hidden
MODULE_OBJECTS  = $(MODULE_SOURCES:host/python/%.cpp=$(OUT)/obj/python-$(PYTHON_TAG)/%.o)

.PHONY: python wheel wheel-test dimod-test
python: $(PACKAGE)/py.typed ## the Python package, in build/python
	@for file in $(wildcard $(COMPANIONS) $(OUT)/emu); do ln -sfn $$(realpath $$file) $(PACKAGE)/; done

$(PACKAGE)/py.typed: $(PACKAGE_FILES) host/python/fill_stubs host/chainmail/options.def
	@mkdir -p $(@D) && cp $(PACKAGE_FILES) $(@D)
	@$(PYTHON) host/python/fill_stubs host/chainmail/options.def $(@D)/*.pyi

# The interpreter is queried only when the module is built.
ifneq ($(filter python wheel wheel-test dimod-test test $(OUT)/tests/python,$(MAKECMDGOALS)),)
MODULE := $(PACKAGE)/_chainmail$(PYTHON_SUFFIX)
python: $(MODULE)
$(MODULE): $(MODULE_OBJECTS) $(OUT)/libchainmail.a
	@mkdir -p $(@D)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) $(MODULE_LDFLAGS) -shared $^ -Wl,--exclude-libs,ALL $(LIBRARY_LDLIBS) -o $@.new
	@mv $@.new $@
$(OUT)/obj/python-$(PYTHON_TAG)/%.o: host/python/%.cpp $(OUT)/flags
	@mkdir -p $(@D)
	@echo "  C++    $<"
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(MODULE_FLAGS) -MMD -MP -c $< -o $@
endif

wheel: python ## a wheel in build/wheel, for pip install
	@CXX='$(CXX)' $(PYTHON) host/python/backend.py $(PACKAGE) $(PYTHON_SUFFIX) $(OUT)/wheel

# DIMOD: a folder with the package, if the interpreter has none of its own.
dimod-test: python $(OUT)/chainmail ## dimod's own tests of samplers and more, on dimod itself (DIMOD=folder)
	@CHAINMAIL=$(abspath $(OUT)/chainmail) PYTHONPATH=$(abspath $(OUT)/python):$(DIMOD) $(PYTHON) tests/python/dimod_itself.py

wheel-test: ## in a bare Debian: make wheel, pip install in a new environment, the recipes (root, network)
	@host/python/test_wheel

# ---- tests: the package as it was built, by its own interpreter --------------------------------
$(OUT)/tests/python: | python $(OUT)/chainmail
$(OUT)/obj/tests/python/%.o build/lint/tests/python/%.ok: private CPPFLAGS += \
    -DPYTHON='"$(PYTHON)"' -DBUILD_OUT='"$(OUT)"' -DBUILD_FLAVOUR='"$(BUILD)"'
build/lint/host/python/%.ok: private CPPFLAGS += $(MODULE_FLAGS)
