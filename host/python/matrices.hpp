// Matrices as Python has them, read in place into a model: dense and sparse arrays of any real
// type, dictionaries with pairs of labels. Every entry counts once: the sum is x' Q x.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "chainmail/chainmail.hpp"

namespace chainmail::python {

namespace py = pybind11;

// An aligned array of this type: copied if it is not aligned or of another type.
inline constexpr int kAligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
template <typename T, int layout = 0>
using Aligned = py::array_t<T, layout | py::array::forcecast | kAligned>;

// Of spins the diagonal is a constant, of binaries it is linear.
void add_dense(Model& model, const py::array& matrix);
// Compressed by rows or by columns, which mean the same here.
void add_compressed(Model& model, const py::array& starts, const py::array& columns,
                    const py::array& values);
void add_triplets(Model& model, const py::array& rows, const py::array& columns,
                  const py::array& values);
void add_linear(Model& model, const py::array& variables, const py::array& values);

// {(u, v): coefficient}, and labels with linear terms of their own. Adds the variables, too: sorted
// if the labels can be, else in order of appearance. Returns the labels in the order of the
// variables.
py::list add_pairs(Model& model, const py::dict& pairs, const py::object& linear, bool spins);

}  // namespace chainmail::python
