// Included in the body of every kernel: its ports except `tables`, whose bus each kernel chooses.
// All of these buffers share one AXI master of 64 bits, since they are moved one after the other.
// No include guard, since it is part of a function. clang-format would break the lines, and HLS may
// not join them again.
// clang-format off
#pragma HLS INTERFACE mode = m_axi port = parameters bundle = gmem offset = slave max_widen_bitwidth = 64
#pragma HLS INTERFACE mode = m_axi port = spins bundle = gmem offset = slave max_widen_bitwidth = 64
#pragma HLS INTERFACE mode = m_axi port = best bundle = gmem offset = slave max_widen_bitwidth = 64
#pragma HLS INTERFACE mode = m_axi port = results bundle = gmem offset = slave max_widen_bitwidth = 64
#pragma HLS INTERFACE mode = m_axi port = status bundle = gmem offset = slave max_widen_bitwidth = 64
// Pointers and scalars in the order of the register map.
#pragma HLS INTERFACE mode = s_axilite port = tables bundle = control
#pragma HLS INTERFACE mode = s_axilite port = parameters bundle = control
#pragma HLS INTERFACE mode = s_axilite port = spins bundle = control
#pragma HLS INTERFACE mode = s_axilite port = best bundle = control
#pragma HLS INTERFACE mode = s_axilite port = results bundle = control
#pragma HLS INTERFACE mode = s_axilite port = status bundle = control
#pragma HLS INTERFACE mode = s_axilite port = first bundle = control
#pragma HLS INTERFACE mode = s_axilite port = replicas bundle = control
#pragma HLS INTERFACE mode = s_axilite port = sweeps bundle = control
#pragma HLS INTERFACE mode = s_axilite port = flags bundle = control
#pragma HLS INTERFACE mode = s_axilite port = seed bundle = control
#pragma HLS INTERFACE mode = s_axilite port = return bundle = control
// clang-format on
