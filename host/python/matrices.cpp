#include "matrices.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace chainmail::python {

namespace {

// Whether it can be read in place: native byte order, aligned numbers.
bool readable(const py::array& array) {
  return (array.flags() & kAligned) != 0 && array.dtype().byteorder() != '>';
}

// Calls `call(view)` with a typed view of the array. The usual types are read in place; others
// (half and long precision, foreign byte order) are converted, and only they are copied.
template <int dimensions, typename Call>
void with_reals(const py::array& given, const Call& call) {
  const std::string kinds = "biuf";
  const bool real = kinds.find(given.dtype().kind()) != std::string::npos;
  const bool usual =
      given.itemsize() <= 8 && !(given.dtype().kind() == 'f' && given.itemsize() < 4);
  const py::array array = real && !(usual && readable(given)) ? Aligned<double>(given) : given;
  if (array.ndim() != dimensions) {
    throw py::value_error("expected an array of " + std::to_string(dimensions) +
                          " dimensions, found " + std::to_string(array.ndim()));
  }
  const auto as = [&](auto value) {
    using T = decltype(value);
    if (!py::isinstance<py::array_t<T>>(array)) return false;
    call(array.unchecked<T, dimensions>());
    return true;
  };
  const bool done = as(double{}) || as(float{}) || as(std::int64_t{}) || as(std::int32_t{}) ||
                    as(std::int16_t{}) || as(std::int8_t{}) || as(std::uint64_t{}) ||
                    as(std::uint32_t{}) || as(std::uint16_t{}) || as(std::uint8_t{}) || as(bool{});
  if (!done) {
    throw py::type_error("expected real numbers, found an array of " +
                         py::str(given.dtype()).cast<std::string>());
  }
}

template <typename Call>
void with_indices(const py::array& given, const Call& call) {
  if (given.ndim() != 1) throw py::value_error("expected indices in one dimension");
  const bool whole = given.dtype().kind() == 'i' || given.dtype().kind() == 'u';
  const py::array array = whole && !readable(given) ? Aligned<std::int64_t>(given) : given;
  if (py::isinstance<py::array_t<std::int32_t>>(array)) {
    call(array.unchecked<std::int32_t, 1>());
  } else if (py::isinstance<py::array_t<std::int64_t>>(array)) {
    call(array.unchecked<std::int64_t, 1>());
  } else {
    throw py::type_error("expected indices of 32 or 64 bits");
  }
}

// A large matrix takes a while: Ctrl-C ends it.
void let_python_interrupt() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

std::size_t variable(std::int64_t index, const Model& model) {
  if (index < 0 || static_cast<std::size_t>(index) >= model.size()) {
    throw py::value_error("expected a variable from 0 to " + std::to_string(model.size() - 1) +
                          ", found " + std::to_string(index));
  }
  return static_cast<std::size_t>(index);
}

void add(Model& model, std::size_t i, std::size_t j, double value) {
  if (value != 0.0) model.add_quadratic(i, j, value);
}

}  // namespace

void add_dense(Model& model, const py::array& matrix) {
  with_reals<2>(matrix, [&](const auto& q) {
    const py::ssize_t n = q.shape(0);
    if (q.shape(1) != n || static_cast<std::size_t>(n) != model.size()) {
      throw py::value_error("expected a square matrix, found " + std::to_string(n) + " by " +
                            std::to_string(q.shape(1)));
    }
    const auto at = [&](py::ssize_t i, py::ssize_t j) { return static_cast<double>(q(i, j)); };
    std::size_t products = 0;
    for (py::ssize_t i = 0; i < n; ++i) {
      let_python_interrupt();
      for (py::ssize_t j = i + 1; j < n; ++j) products += at(i, j) + at(j, i) != 0.0;
    }
    model.reserve(products + (model.spins() ? model.size() : 0));
    for (py::ssize_t i = 0; i < n; ++i) {
      let_python_interrupt();
      const auto row = static_cast<std::size_t>(i);
      add(model, row, row, at(i, i));
      for (py::ssize_t j = i + 1; j < n; ++j) {
        add(model, row, static_cast<std::size_t>(j), at(i, j) + at(j, i));
      }
    }
  });
}

void add_compressed(Model& model, const py::array& starts, const py::array& columns,
                    const py::array& values) {
  with_indices(starts, [&](const auto& start) {
    with_indices(columns, [&](const auto& column) {
      with_reals<1>(values, [&](const auto& value) {
        if (static_cast<std::size_t>(start.shape(0)) != model.size() + 1 ||
            start(start.shape(0) - 1) > std::min(column.shape(0), value.shape(0))) {
          throw py::value_error("expected a square compressed matrix");
        }
        model.reserve(static_cast<std::size_t>(value.shape(0)));
        for (py::ssize_t i = 0; i + 1 < start.shape(0); ++i) {
          for (auto k = std::max<std::int64_t>(0, start(i)); k < start(i + 1); ++k) {
            add(model, static_cast<std::size_t>(i), variable(column(k), model),
                static_cast<double>(value(k)));
          }
        }
      });
    });
  });
  model.compact();
}

void add_triplets(Model& model, const py::array& rows, const py::array& columns,
                  const py::array& values) {
  with_indices(rows, [&](const auto& row) {
    with_indices(columns, [&](const auto& column) {
      with_reals<1>(values, [&](const auto& value) {
        if (row.shape(0) != value.shape(0) || column.shape(0) != value.shape(0)) {
          throw py::value_error("expected as many rows and columns as values");
        }
        model.reserve(static_cast<std::size_t>(value.shape(0)));
        for (py::ssize_t k = 0; k < value.shape(0); ++k) {
          add(model, variable(row(k), model), variable(column(k), model),
              static_cast<double>(value(k)));
        }
      });
    });
  });
  model.compact();
}

void add_linear(Model& model, const py::array& variables, const py::array& values) {
  with_indices(variables, [&](const auto& v) {
    with_reals<1>(values, [&](const auto& value) {
      if (v.shape(0) != value.shape(0)) {
        throw py::value_error("expected as many variables as values");
      }
      for (py::ssize_t k = 0; k < value.shape(0); ++k) {
        model.add_linear(variable(v(k), model), static_cast<double>(value(k)));
      }
    });
  });
}

py::list add_pairs(Model& model, const py::dict& pairs, const py::object& linear, bool spins) {
  py::dict numbers;  // by label, in order of appearance
  py::list labels;
  const auto number = [&](PyObject* label) {
    if (PyObject* known = PyDict_GetItemWithError(numbers.ptr(), label)) {
      return static_cast<std::uint32_t>(PyLong_AsUnsignedLong(known));
    }
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();  // not hashable
    const auto next = static_cast<std::uint32_t>(labels.size());
    const py::int_ value(next);
    if (PyDict_SetItem(numbers.ptr(), label, value.ptr()) != 0) throw py::error_already_set();
    labels.append(py::reinterpret_borrow<py::object>(label));
    return next;
  };
  const auto real = [](PyObject* object) {
    const double value = PyFloat_AsDouble(object);
    if (value == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return value;
  };
  struct Entry {
    std::uint32_t i, j;
    double value;
  };
  std::vector<Entry> entries, fields;
  entries.reserve(pairs.size());
  PyObject *key = nullptr, *value = nullptr;
  if (!linear.is_none()) {
    const py::dict of_label(linear);
    for (py::ssize_t at = 0; PyDict_Next(of_label.ptr(), &at, &key, &value) != 0;) {
      const std::uint32_t i = number(key);
      fields.push_back({i, i, real(value)});
    }
  }
  for (py::ssize_t at = 0; PyDict_Next(pairs.ptr(), &at, &key, &value) != 0;) {
    if (PyTuple_Check(key) == 0 || PyTuple_GET_SIZE(key) != 2) {
      throw py::value_error("expected keys (u, v), found " +
                            py::repr(py::handle(key)).cast<std::string>());
    }
    const std::uint32_t i = number(PyTuple_GET_ITEM(key, 0));
    const std::uint32_t j = number(PyTuple_GET_ITEM(key, 1));
    entries.push_back({i, j, real(value)});
  }

  std::vector<std::uint32_t> place(labels.size());
  std::iota(place.begin(), place.end(), 0);
  py::list ordered(labels);
  if (PyList_Sort(ordered.ptr()) == 0) {
    for (std::size_t k = 0; k < ordered.size(); ++k) {
      place[number(ordered[k].ptr())] = static_cast<std::uint32_t>(k);
    }
  } else {
    PyErr_Clear();
    ordered = labels;
  }
  for (std::size_t k = 0; k < labels.size(); ++k) {
    if (spins) {
      model.add_spin();
    } else {
      model.add_binary();
    }
  }
  model.reserve(entries.size());
  for (const Entry& e : fields) model.add_linear(place[e.i], e.value);
  for (const Entry& e : entries) add(model, place[e.i], place[e.j], e.value);
  model.compact();
  return ordered;
}

}  // namespace chainmail::python
