# The Python package.
#   make python                 the package in build/python, for PYTHONPATH
#   make wheel                  a wheel in build/wheel, for pip; needs no network
#   PYTHON=python3.12           another interpreter from 3.9 on; its name is in the module's and the wheel's
# Evaluated only where needed: other targets work without an interpreter.
PYTHON_SUFFIX  = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
PYTHON_INCLUDE = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
PYTHON_TAG     = $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_config_var("SOABI"))')
MODULE_SOURCES := $(wildcard host/python/*.cpp)
PACKAGE_FILES  := $(wildcard host/python/chainmail/*.py host/python/chainmail/*.pyi) host/python/chainmail/py.typed
PACKAGE        := $(OUT)/python/chainmail
MODULE_FLAGS    = -Ihost/python -isystem $(PYTHON_INCLUDE) -fvisibility=hidden
MODULE_OBJECTS  = $(MODULE_SOURCES:host/python/%.cpp=$(OUT)/obj/python-$(PYTHON_TAG)/%.o)

.PHONY: python wheel wheel-test
python: ## the Python package, in build/python
	@cp $(PACKAGE_FILES) $(PACKAGE)
	@$(PYTHON) host/python/fill_stubs host/chainmail/options.def $(PACKAGE)/*.pyi
	@sed 's|@VERSION@|$(VERSION)|' host/python/pyproject.toml > $(OUT)/python/pyproject.toml
	@for file in $(wildcard $(COMPANIONS) $(OUT)/emu); do ln -sfn $$(realpath $$file) $(PACKAGE)/; done

# The interpreter is queried only when the module is built.
ifneq ($(filter python wheel wheel-test test $(OUT)/tests/python,$(MAKECMDGOALS)),)
MODULE := $(PACKAGE)/_chainmail$(PYTHON_SUFFIX)
python: $(MODULE)
$(MODULE): $(MODULE_OBJECTS) $(OUT)/libchainmail.a
	@mkdir -p $(@D)
	@echo "  LINK   $@"
	@$(CXX) $(CXXFLAGS) -shared $^ -Wl,--exclude-libs,ALL -Wl,-rpath,'$$ORIGIN/libs' $(LIBRARY_LDLIBS) -o $@.new
	@$(if $(filter release,$(BUILD)),strip --strip-debug $@.new &&) mv $@.new $@
$(OUT)/obj/python-$(PYTHON_TAG)/%.o: host/python/%.cpp $(OUT)/flags
	@mkdir -p $(@D)
	@echo "  C++    $<"
	@$(CXX) $(CPPFLAGS) $(CXXFLAGS) $(MODULE_FLAGS) -MMD -MP -c $< -o $@
endif

wheel: python ## a wheel in build/wheel, for pip install
	@PYTHON=$(PYTHON) host/python/make_wheel $(OUT)/python $(OUT)/wheel

wheel-test: ## in a bare Debian: make wheel, pip install in a new environment, the recipes (root, network)
	@host/python/test_wheel

# ---- tests: the package as it was built, by its own interpreter --------------------------------
$(OUT)/tests/python: | python $(OUT)/chainmail
$(OUT)/obj/tests/python/%.o build/lint/tests/python/%.ok: private CPPFLAGS += \
    -DPYTHON='"$(PYTHON)"' -DBUILD_OUT='"$(OUT)"' -DBUILD_FLAVOUR='"$(BUILD)"'
build/lint/host/python/%.ok: private CPPFLAGS += $(MODULE_FLAGS)
