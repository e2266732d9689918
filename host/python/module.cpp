// The extension module chainmail._chainmail: the public header for Python. Conveniences
// (expressions, labels, tables, plots) are Python code around it.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "matrices.hpp"
#include "watch.hpp"

namespace chainmail::python {

namespace {

// A model may not change under a run, which reads it without the interpreter's lock.
struct SharedModel {
  Model model;
  int runs = 0;  // runs in progress; counted with the lock held

  Model& changeable() {
    if (runs > 0) throw std::runtime_error("the model is being solved and cannot be changed");
    return model;
  }
};

class InUse {
 public:
  explicit InUse(SharedModel& shared) : shared_(&shared) { ++shared_->runs; }
  ~InUse() { --shared_->runs; }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  SharedModel* shared_;
};

py::array_t<std::int64_t> array_of(const std::vector<std::int64_t>& values) {
  return py::array_t<std::int64_t>(static_cast<py::ssize_t>(values.size()), values.data());
}

std::vector<std::int64_t> vector_of(const Aligned<std::int64_t, py::array::c_style>& values) {
  return {values.data(), values.data() + values.size()};
}

Solution solve_shared(SharedModel& shared, Options options, const py::object& callback,
                      const py::object& bar, bool catch_interrupts) {
  Watch watch(callback, bar, catch_interrupts);
  watch.attach(options);
  const InUse guard(shared);
  Solution found;
  {
    const py::gil_scoped_release unlocked;
    found = solve(shared.model, options);
  }
  watch.rethrow();
  return found;
}

// None for a problem that was not begun before an interrupt.
py::list solve_many_shared(const std::vector<SharedModel*>& models, Options options,
                           const py::object& bar, bool catch_interrupts) {
  Watch watch(py::none(), bar, catch_interrupts);
  watch.attach(options);
  std::vector<std::unique_ptr<InUse>> guards;
  guards.reserve(models.size());
  for (SharedModel* shared : models) guards.push_back(std::make_unique<InUse>(*shared));
  std::vector<std::optional<Solution>> found(models.size());
  std::optional<std::pair<std::size_t, Failure>> failed;
  {
    const py::gil_scoped_release unlocked;
    const auto give = [&](std::size_t k) {
      return std::shared_ptr<const Model>(std::shared_ptr<void>(), &models[k]->model);
    };
    solve_many(models.size(), give, options,
               [&](std::size_t k, Solution solution, const Failure* failure) {
                 if (failure == nullptr) {
                   found[k] = std::move(solution);
                 } else if (!failed || k < failed->first) {
                   failed.emplace(k, *failure);
                 }
               });
  }
  watch.rethrow();
  if (failed) {
    const auto& [k, failure] = *failed;
    throw Failure(failure.kind, "problem " + std::to_string(k) + ": " + failure.what());
  }
  py::list results;
  for (std::optional<Solution>& one : found) {
    results.append(one ? py::cast(std::move(*one)) : py::object(py::none()));
  }
  return results;
}

py::tuple sample_shared(SharedModel& shared, const Sampling& sampling, Options options,
                        const py::object& bar, bool catch_interrupts) {
  Watch watch(py::none(), bar, catch_interrupts);
  watch.attach(options);
  const InUse guard(shared);
  std::vector<Sample> found;
  {
    const py::gil_scoped_release unlocked;
    found = sample(shared.model, sampling, options);
  }
  watch.rethrow();
  const std::size_t width = shared.model.size();
  py::array_t<std::int64_t> values({found.size(), width});
  py::array_t<double> betas(static_cast<py::ssize_t>(found.size())), penalties(betas.size()),
      energies(betas.size()), g(betas.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    std::copy(found[k].values.begin(), found[k].values.end(), values.mutable_data() + k * width);
    betas.mutable_data()[k] = found[k].beta;
    penalties.mutable_data()[k] = found[k].penalty;
    energies.mutable_data()[k] = found[k].objective;
    g.mutable_data()[k] = found[k].g;
  }
  return py::make_tuple(betas, penalties, values, energies, g);
}

void define_model(py::module_& module) {
  py::class_<SharedModel>(module, "Model")
      .def(py::init<>())
      .def_static(
          "read",
          [](const std::string& file, const std::string& format, std::size_t colors) {
            const py::gil_scoped_release unlocked;
            return SharedModel{Model::read(file, format, colors)};
          },
          py::arg("file"), py::arg("format") = "detect", py::arg("colors") = 0)
      .def_static("max_cut",
                  [](std::size_t vertices, const std::vector<std::size_t>& first,
                     const std::vector<std::size_t>& second, const std::vector<double>& weights) {
                    std::vector<Model::Edge> edges;
                    for (std::size_t k = 0; k < weights.size(); ++k) {
                      edges.push_back({first.at(k), second.at(k), weights[k]});
                    }
                    return SharedModel{Model::max_cut(vertices, edges)};
                  })
      .def("write",
           [](SharedModel& m, const std::string& file) {
             const InUse guard(m);
             const py::gil_scoped_release unlocked;
             m.model.write(file);
           })
      .def("add_binaries",
           [](SharedModel& m, std::size_t count) {
             for (std::size_t k = 0; k < count; ++k) m.changeable().add_binary();
           })
      .def("add_spins",
           [](SharedModel& m, std::size_t count) {
             for (std::size_t k = 0; k < count; ++k) m.changeable().add_spin();
           })
      .def("set_name",
           [](SharedModel& m, const std::string& name) { m.changeable().set_name(name); })
      .def("add_binary",
           [](SharedModel& m, const std::string& name) { return m.changeable().add_binary(name); })
      .def("add_spin",
           [](SharedModel& m, const std::string& name) { return m.changeable().add_spin(name); })
      .def("add_integer",
           [](SharedModel& m, std::int64_t lower, std::int64_t upper, const std::string& name) {
             return m.changeable().add_integer(lower, upper, name);
           })
      .def("set_maximise",
           [](SharedModel& m, bool maximise) {
             m.changeable().set_sense(maximise ? Model::maximise : Model::minimise);
           })
      .def("clear_objective", [](SharedModel& m) { m.changeable().clear_objective(); })
      .def("add_constant", [](SharedModel& m, double value) { m.changeable().add_constant(value); })
      .def("add_linear",
           [](SharedModel& m, const py::array& variables, const py::array& values) {
             add_linear(m.changeable(), variables, values);
           })
      .def("add_dense",
           [](SharedModel& m, const py::array& matrix) { add_dense(m.changeable(), matrix); })
      .def("add_compressed",
           [](SharedModel& m, const py::array& starts, const py::array& columns,
              const py::array& values) { add_compressed(m.changeable(), starts, columns, values); })
      .def("add_triplets",
           [](SharedModel& m, const py::array& rows, const py::array& columns,
              const py::array& values) { add_triplets(m.changeable(), rows, columns, values); })
      .def("add_product", [](SharedModel& m, const std::vector<std::size_t>& factors,
                             double value) { m.changeable().add_product(factors, value); })
      .def("add_pairs", [](SharedModel& m, const py::dict& pairs, const py::object& linear,
                           bool spins) { return add_pairs(m.changeable(), pairs, linear, spins); })
      .def("add_constraint",
           [](SharedModel& m, const std::string& name, const std::vector<std::size_t>& variables,
              const std::vector<double>& values, double lower, double upper,
              const std::vector<std::tuple<std::size_t, std::size_t, double>>& products,
              double price, const std::optional<std::pair<std::size_t, bool>>& when) {
             std::vector<Model::Term> terms;
             for (std::size_t k = 0; k < values.size(); ++k) {
               terms.push_back({variables.at(k), values[k]});
             }
             Model::Rule rule;
             for (const auto& [i, j, coefficient] : products) {
               rule.products.push_back({i, j, coefficient});
             }
             rule.price = price;
             if (when) rule.when = {when->first, when->second};
             m.changeable().add_constraint(name, terms, lower, upper, rule);
           })
      .def("add_set",
           [](SharedModel& m, const std::string& name, const std::vector<std::size_t>& variables) {
             m.changeable().add_set(name, variables);
           })
      .def("evaluate",
           [](const SharedModel& m, const Aligned<std::int64_t, py::array::c_style>& values) {
             return evaluate(m.model, vector_of(values));
           })
      .def("name", [](const SharedModel& m, std::size_t v) { return m.model.name(v); })
      .def_property_readonly(
          "maximises", [](const SharedModel& m) { return m.model.sense() == Model::maximise; })
      .def_property_readonly("edges", [](const SharedModel& m) { return m.model.edges(); })
      .def_property_readonly("spins", [](const SharedModel& m) { return m.model.spins(); })
      .def_property_readonly("constrained",
                             [](const SharedModel& m) { return m.model.constrained(); })
      .def_property_readonly("known_optimum",
                             [](const SharedModel& m) { return m.model.known_optimum(); })
      .def("__len__", [](const SharedModel& m) { return m.model.size(); });
}

void define_options(py::module_& module) {
  py::class_<Options> options(module, "Options");
  options.def(py::init<>())
      .def_property(
          "initial", [](const Options& o) { return array_of(o.initial); },
          [](Options& o, const Aligned<std::int64_t, py::array::c_style>& values) {
            o.initial = vector_of(values);
          });
  options.def_readwrite("fixed", &Options::fixed);
  for (const OptionInfo& info : option_table()) {
    std::visit([&](auto field) { options.def_readwrite(info.name.c_str(), field); }, info.field);
  }
  module.def("option_table", [] {
    py::list rows;
    for (const OptionInfo& info : option_table()) {
      rows.append(py::make_tuple(info.name, info.help, info.level == OptionInfo::common));
    }
    return rows;
  });
  py::class_<Sampling>(module, "Sampling")
      .def(py::init<>())
      .def_readwrite("betas", &Sampling::betas)
      .def_readwrite("penalties", &Sampling::penalties)
      .def_readwrite("samples", &Sampling::samples)
      .def_readwrite("warmup", &Sampling::warmup)
      .def_readwrite("sweeps", &Sampling::sweeps)
      .def_readwrite("initial", &Sampling::initial);
  py::class_<Status>(module, "Status")
      .def_readonly("fraction", &Status::fraction)
      .def_readonly("sweeps", &Status::sweeps)
      .def_readonly("best", &Status::best)
      .def_readonly("seconds", &Status::seconds)
      .def_readonly("updates_per_ns", &Status::updates_per_ns)
      .def_readonly("tuning", &Status::tuning);
}

void define_answers(py::module_& module) {
  py::class_<Answer>(module, "Answer")
      .def_property_readonly("values", [](const Answer& a) { return array_of(a.values); })
      .def_readonly("objective", &Answer::objective)
      .def_readonly("feasible", &Answer::feasible)
      .def_property_readonly("violations", [](const Answer& a) {
        py::list rows;
        for (const Violated& v : a.violations) {
          rows.append(py::make_tuple(v.constraint, v.left, v.relation, v.right));
        }
        return rows;
      });
  py::class_<Solution>(module, "Solution")
      .def_readonly("best", &Solution::best)
      .def_readonly("others", &Solution::others)
      .def_readonly("trials", &Solution::trials)
      .def_readonly("stopped_by", &Solution::stopped_by)
      .def_readonly("proved", &Solution::proved)
      .def_readonly("bound", &Solution::bound)
      .def_readonly("gap", &Solution::gap)
      .def_readonly("sweeps", &Solution::sweeps)
      .def_readonly("seconds", &Solution::seconds)
      .def_readonly("course", &Solution::course)
      .def_readonly("notes", &Solution::notes)
      .def("summary", &Solution::summary)
      .def("json", &Solution::json)
      .def("html", &Solution::html)
      .def("trace_csv", &Solution::trace_csv);
}

}  // namespace

}  // namespace chainmail::python

PYBIND11_MODULE(_chainmail, module) {
  namespace py = pybind11;
  using namespace chainmail;
  module.doc() = "Chainmail's public header; use the package chainmail.";
  module.attr("version") = version();
  // NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 has it so
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Failure& failure) {
      PyErr_SetString(failure.kind == Failure::device ? PyExc_RuntimeError : PyExc_ValueError,
                      failure.what());
    }
  });
  python::define_model(module);
  python::define_options(module);
  python::define_answers(module);
  module.def("solve", &python::solve_shared);
  module.def("solve_many", &python::solve_many_shared);
  module.def("sample", &python::sample_shared);
  module.def("devices", [] {
    const py::gil_scoped_release unlocked;
    return devices();
  });
}
