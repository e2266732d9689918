# The open flow for iCE40 boards: yosys, nextpnr-ice40, icepack.
ICE40_BOARDS := hx8k icebreaker
