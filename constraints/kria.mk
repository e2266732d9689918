# The host program for a Kria: Debian's cross compiler and its libraries for 64-bit ARM, tried under QEMU.
ifeq ($(BUILD),aarch64)
$(OUT)/write_topology: build/write_topology
	@mkdir -p $(@D) && cp $< $@
else
.PHONY: kria kria-test
kria: $(ARM_SYSROOT) build/write_topology ## the host program for a Kria (64-bit ARM), build/aarch64/chainmail
	@$(MAKE) --no-print-directory BUILD=aarch64 build/aarch64/chainmail
kria-test: kria build/chainmail ## the same under QEMU: the bits of this machine on every device
	@tests/check_kria build/chainmail build/aarch64/chainmail $(ARM_SYSROOT)
$(ARM_SYSROOT): constraints/kria_sysroot
	@echo "  FETCH  libraries for 64-bit ARM"
	@mkdir -p $(@D) && $< $@ && touch $@
endif
