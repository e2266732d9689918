// Every error names the file, the line, what was expected and what was found.
#include <catch2/catch.hpp>

#include "problem/files.hpp"
#include "support/error.hpp"

using namespace chainmail;

namespace {

std::string complaint(std::string_view text, Format format) {
  try {
    parse_problem(text, "f", format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

struct Case {
  std::string text;
  std::string message;
};

void check_all(Format format, std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK(complaint(c.text, format) == c.message);
  }
}

// A JSON problem of three spins with `members` added, each line of them from line 2 on.
std::string json_with(const std::string& members) {
  return "{\"format\": \"chainmail-problem\", \"version\": 1, \"spins\": 3,\n" + members + "}";
}

void check_json(const std::string& members, const std::string& message) {
  INFO(members);
  CHECK(complaint(json_with(members), Format::json) == message);
}

}  // namespace

TEST_CASE("COO complaints") {
  check_all(
      Format::coo,
      {{"", "f:1: expected a problem, found an empty file"},
       {" \r\n\n", "f:1: expected a problem, found an empty file"},
       {"# only a comment\n", "f:1: expected at least one line `i j J`, found the end of the file"},
       {"0 1\n", "f:1: expected `i j J` or `i i h`, found '0 1'"},
       {"0 1 1 1\n", "f:1: expected `i j J` or `i i h`, found '0 1 1 1'"},
       {"0 x 1\n", "f:1: expected a spin index from 0 to 1048575, found 'x'"},
       {"0 -1 1\n", "f:1: expected a spin index from 0 to 1048575, found '-1'"},
       {"0 1.0 1\n", "f:1: expected a spin index from 0 to 1048575, found '1.0'"},
       {"0 99999999999999999999999 1\n",
        "f:1: expected a spin index from 0 to 1048575, found '99999999999999999999999'"},
       {"0 1 1\n1 2 nan\n", "f:2: expected a coupling, found 'nan'"},
       {"0 1 1\n1 1 inf\n", "f:2: expected a field, found 'inf'"},
       {"0 1 1e999\n", "f:1: expected a coupling, found '1e999', which does not fit a double"},
       {"0 1 0x10\n", "f:1: expected a coupling, found '0x10'"},
       {"0 1 1,5\n", "f:1: expected a coupling, found '1,5'"},
       {"0 1 1\n0 2 1\n1 0 1\n", "f:3: the coupling of 0 and 1 was given before, on line 1"},
       {"2 2 1\n\n2 2 0\n", "f:3: the field of spin 2 was given before, on line 1"},
       {"0 1 1e308\n1 2 1e308\n",
        "f: the coefficients of the objective add up to more than a "
        "double holds"},
       {"0 1 1\n\x01\n", "f:2: expected text, found the control character 0x01"},
       {"\xff\xfe\xfa\n", "f:1: expected `i j J` or `i i h`, found '\\xff\\xfe\\xfa'"},
       {"# vartype=REAL\n0 1 1\n",
        "f:1: expected `# vartype=SPIN` or `# vartype=BINARY`, found '# vartype=REAL'"},
       {"# vartype=SPIN\n# vartype=BINARY\n0 1 1\n", "f:2: another vartype was given before"},
       {"#: spins 2\n# vartype=SPIN\n0 1 1\n",
        "f:2: `# vartype=` is dimod's and does not go with `#:` lines"},
       {"# vartype=SPIN\n#: spins 2\n0 1 1\n",
        "f:2: `#:` lines do not go with dimod's `# vartype=`"},
       {"#: spins 2\n0 2 1\n", "f:2: expected a spin index from 0 to 1, found '2'"},
       {"#: spins 1000000000\n0 1 1\n",
        "f:1: expected a number of spins from 1 to 1048576, found '1000000000'"},
       {"#: spins 2\n#: spins 2\n0 1 1\n", "f:2: `#: spins` is given twice"},
       {"#: spins\n0 1 1\n", "f:1: expected `#: key value`, found '#: spins'"},
       {"#: spin 3\n0 1 1\n",
        "f:1: unknown directive 'spin'; known: chainmail-coo, name, spins, offset, objective, "
        "variable, known-optimum, known-solution, reference-solution"},
       {"#: chainmail-coo 2\n0 1 1\n", "f:1: expected a version from 1 to 1, found '2'"},
       {"0 1 1\n#: spins 3\n", "f:2: `#:` lines must come first"},
       {"#: variable 0 a\n#: variable 0 b\n0 1 1\n", "f:2: spin 0 is named twice"},
       {"#: variable 1 b\n0 1 1\n", "f:2: spin 0 has no name but spin 1 has one"},
       {"#: variable 0 a\n0 1 1\n", "f: 1 variable names for 2 spins"},
       {"#: variable 0 a\n#: variable 1 a\n0 1 1\n",
        "f: spin 1 has the same name as another, \"a\""},
       {"#: known-optimum -1\n#: known-solution +x\n0 1 1\n",
        "f:2: expected one word of + and -, found '#: known-solution +x'"},
       {"#: known-optimum -1\n#: known-solution ++-\n0 1 1\n",
        "f: the known solution has 3 spins, expected 2"},
       {"#: known-optimum -1\n#: known-solution +-\n0 1 1\n",
        "f: the known solution has f = 1, but the known optimum is -1"},
       {"#: known-solution ++\n0 1 1\n", "f: a known solution without the known optimum"},
       {"#: objective 0 0 cost\n0 1 1\n",
        "f: the objective's scale 0 and shift 0 must be finite, the scale not zero, and no state "
        "may overflow"},
       {"#: name \xff\n0 1 1\n",
        "f: the problem's name must be printable UTF-8 without leading or trailing space"}});
  CHECK(complaint(std::string_view("0 1 1\n\0\0", 8), Format::coo) ==
        "f:2: expected text, found the control character 0x00");
}

TEST_CASE("Chook complaints") {
  check_all(
      Format::chook,
      {{"0\t0\t1\n", "f:1: couples spin 0 with itself"},
       {"0\n", "f:1: expected `i j J`, `i h` or `i j k ... T`, found '0'"},
       {"0\t1\t2\t1.5\n", "f: has terms of three or more spins"},
       {"0 1 1\n1 0 2\n", "f:2: the term of spin 0 and 1 was given before, on line 1"},
       {"3 1\n3 2\n", "f:2: the term of spin 3 was given before, on line 1"},
       {"0 1 -inf\n", "f:1: expected a weight, found '-inf'"},
       {"{\"problem\": {\"type\": \"hobo\", \"terms\": []}}",
        "f:1: problem.type: expected \"ising\" (let Chook write with `-o ising`), found \"hobo\""},
       {"{\"problem\": {\"type\": \"ising\",\n\"terms\": []}}",
        "f:2: problem.terms: expected at least one term, found an array of 0"},
       {"{\"problem\": {\"type\": \"ising\",\n\"terms\": [{\"w\": 1, \"ids\": [0, 1]},\n"
        "{\"w\": 1, \"ids\": [0, 1, 2]}]}}",
        "f: has terms of three or more spins"},
       {"{\"problem\": {\"type\": \"ising\",\n\"terms\": [{\"w\": 1, \"ids\": [0, 1]},\n"
        "{\"w\": 1, \"ids\": [1, 0]}]}}",
        "f:3: problem.terms[1]: the term of spin 0 and 1 was given before, in terms[0]"}});
}

TEST_CASE("rudy complaints") {
  check_all(
      Format::rudy,
      {{"3\n1 2 1\n", "f:1: expected `vertices edges`, found '3'"},
       {"1000000000 1\n1 2 1\n",
        "f:1: expected a number of vertices from 1 to 1048576, found '1000000000'"},
       {"0 0\n", "f:1: expected a number of vertices from 1 to 1048576, found '0'"},
       {"3 4\n1 2 1\n", "f:1: expected a number of edges from 0 to 3, found '4'"},
       {"3 2\n1 2 1\n", "f:2: expected 2 edges, found the end of the file after 1"},
       {"1000000 400000000000\n1 2 1\n",
        "f:2: expected 400000000000 edges, found the end of the file after 1"},
       {"3 1\n1 2 1\n2 3 1\n", "f:3: expected the end of the file after 1 edges, found '2 3 1'"},
       {"3 1\n0 2 1\n", "f:2: expected a vertex from 1 to 3, found '0'"},
       {"3 1\n1 4 1\n", "f:2: expected a vertex from 1 to 3, found '4'"},
       {"3 1\n2 2 1\n", "f:2: joins vertex 2 with itself"},
       {"3 1\n1 2\n", "f:2: expected an edge `i j w`, found '1 2'"},
       {"3 2\n1 2 1\n2 1 1\n", "f:3: the edge 1 2 was given before, on line 2"},
       {"3 1\n1 2 1e400\n", "f:2: expected a weight, found '1e400', which does not fit a double"}});
}

TEST_CASE("qubo complaints") {
  check_all(
      Format::qubo,
      {{"0 0 1\n", "f:1: expected `p qubo topology maxNodes nNodes nCouplers`, found '0 0 1'"},
       {"c only\n",
        "f:1: expected `p qubo topology maxNodes nNodes nCouplers`, found the end of the file"},
       {"p qubo 0 2 1\n",
        "f:1: expected `p qubo topology maxNodes nNodes nCouplers`, found 'p qubo 0 2 1'"},
       {"p qubo 0 1000000000 1 0\n0 0 1\n",
        "f:1: expected maxNodes from 1 to 1048576, found '1000000000'"},
       {"p qubo 0 2 3 0\n", "f:1: expected nNodes from 0 to 2, found '3'"},
       {"p qubo 0 2 2 2\n", "f:1: expected nCouplers from 0 to 1, found '2'"},
       {"p qubo 0 2 2 1\n0 0 1\n0 1 1\n",
        "f:3: expected 2 nodes and 1 couplers, found the end of the file after 1 and 1"},
       {"p qubo 0 2 1 0\n0 0 1\n1 1 1\n", "f:3: expected no more than 1 nodes, found '1 1 1'"},
       {"p qubo 0 2 0 0\n0 1 1\n", "f:2: expected no more than 0 couplers, found '0 1 1'"},
       {"p qubo 0 2 0 1\n1 0 1\n", "f:2: expected a coupler `i j Q` with i < j, found '1 0 1'"},
       {"p qubo 0 2 0 1\n0 2 1\n", "f:2: expected a node from 0 to 1, found '2'"},
       {"p qubo 0 2 2 0\n0 0 1\n0 0 2\n", "f:3: the entry 0 0 was given before, on line 2"},
       {"p qubo 0 2 1 0\n0 0 nan\n", "f:2: expected a coefficient, found 'nan'"}});
}

TEST_CASE("qs complaints") {
  check_all(Format::qs,
            {{"# a comment\n", "f:1: expected `n m`, found the end of the file"},
             {"1 1 1\n", "f:1: expected `n m`, variables and entries, found '1 1 1'"},
             {"0 1\n", "f:1: expected a number of variables from 1 to 1048576, found '0'"},
             {"2 4\n", "f:1: expected a number of entries from 0 to 3, found '4'"},
             {"2 1\n0 1 1\n", "f:2: expected a variable from 1 to 2, found '0'"},
             {"2 1\n2 1 1\n", "f:2: expected an entry `i j Q` with i <= j, found '2 1 1'"},
             {"2 1\n1 2\n", "f:2: expected `i j Q`, found '1 2'"},
             {"2 1\n1 1 1\n1 2 1\n", "f:3: expected no more than 1 entries, found '1 2 1'"},
             {"2 2\n1 1 1\n", "f:2: expected 2 entries, found the end of the file after 1"},
             {"2 2\n1 2 1\n1 2 3\n", "f:3: the entry 1 2 was given before, on line 2"},
             {"2 1\n1 1 nan\n", "f:2: expected a coefficient, found 'nan'"},
             {"# ObjectiveOffset 1\n# ObjectiveOffset 2\n1 0\n",
              "f:2: expected one ObjectiveOffset, found '# ObjectiveOffset 2'"},
             {"# ObjectiveOffset x\n1 0\n", "f:1: expected an offset, found 'x'"}});
}

TEST_CASE("csv complaints") {
  check_all(Format::csv,
            {{"# nothing\n", "f:1: expected at least one edge, found the end of the file"},
             {"a b\n", "f:1: expected an edge `from,to` or `from,to,weight`, found 'a b'"},
             {"a,b,1,2\n", "f:1: expected an edge `from,to` or `from,to,weight`, found 'a,b,1,2'"},
             {"a,b\nb,c,1\n", "f:2: expected an edge `from,to`, found 'b,c,1'"},
             {"a,b,1\nb,c,x\n", "f:2: expected a weight, found 'x'"},
             {"a,b,1\nb,c,1e999\n", "f:2: expected a weight, found '1e999'"},
             {"a,b,1\n,c,1\n", "f:2: an edge with only one vertex"},
             {"a,a,1\n", "f:1: joins 'a' with itself"},
             {"a,b,1\nb,a,1\n", "f:2: the edge a b was given before, on line 1"}});
}

TEST_CASE("matrix and npy complaints") {
  check_all(Format::matrix,
            {{"1 2\n3\n", "f:2: expected a row of 2 numbers, found '3'"},
             {"1 2\n", "f:1: expected as many rows as columns, 2, found 1"},
             {"1 2\n3 4\n5 6\n", "f:3: expected the end of the file after 2 rows, found '5 6'"},
             {"1 x\n3 4\n", "f:1: expected a number, found 'x'"}});
  const auto npy = [](const std::string& header, const std::string& data) {
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) +
           std::string(1, '\0') + header + data;
  };
  const std::string one(8, '\0');
  check_all(
      Format::npy,
      {{"PK", "f: expected an array of numpy.save"},
       {"\x93NUMPY\x01zz", "f: expected an array of numpy.save"},
       {npy("{'descr': '<f8'}", ""), "f: expected 'shape' in the header of the array"},
       {npy("{'descr': '<f8', 'shape': (2, 3), }", ""),
        "f: expected a square matrix, found the shape '(2, 3)'"},
       {npy("{'descr': '<f8', 'shape': (1, 1), }", "x"), "f: expected 8 bytes of numbers, found 1"},
       {npy("{'descr': '>f8', 'shape': (1, 1), }", one),
        "f: numbers of kind ''>f8'' are not read; f8, f4, i8, i4, i2, i1, u1 and b1 are, "
        "little-endian"},
       {npy("{'descr': '<i8', 'shape': (1, 1), }", std::string(7, '\x11') + '\x01'),
        "f: a number of the matrix is not finite, or a whole one beyond 2^53"}});
}

TEST_CASE("JSON complaints") {
  check_all(
      Format::json,
      {{"[1, 2]", "f:1: expected an object, found an array of 2"},
       {"{}", "f:1: expected a member \"format\", found none"},
       {"{\"format\": \"other\"}", "f:1: format: expected \"chainmail-problem\", found \"other\""},
       {"{\"format\": \"chainmail-problem\",\n\"version\": 2}",
        "f:2: version: expected version 1, found 2"},
       {"{\"format\": \"chainmail-problem\", \"version\": 1}",
        "f:1: expected a member \"spins\", found none"},
       {"{\"format\": \"chainmail-problem\", \"version\": 1, \"spins\": 1000000000}",
        "f:1: spins: expected a whole number of spins below 1048577, found 1000000000"},
       {"{\"format\": \"chainmail-problem\", \"version\": 1, \"spins\": 0}",
        "f: a problem without spins"},
       {"{\"a\": 1,\n\"a\": 2}", "f:2: member \"a\" is given twice"},
       {"{\"a\": 1,\n\n\"b\": 1e999}", "f:3: number 1e999 does not fit a double"},
       {"[[[[[[[[[1]]]]]]]]]", "f:1: nested deeper than 8 levels of brackets"}});
  CHECK(complaint("{\"a\": 1,\n\"b\": }", Format::json) ==
        "f:2: not valid JSON: syntax error while parsing value - unexpected '}'; expected '[', "
        "'{', or a literal");
  CHECK_THAT(complaint("{\"a\": 1}\n{", Format::json), Catch::StartsWith("f:2: not valid JSON: "));
  CHECK_THAT(complaint("{\"a\": \"\xff\"}", Format::json),
             Catch::StartsWith("f:1: not valid JSON: ") && Catch::Contains("UTF-8"));
  CHECK_THAT(complaint(std::string(100000, '['), Format::json), Catch::Contains("nested deeper"));

  check_json("\"colour\": 1", std::string("f:2: colour: unknown member; known here: format, ") +
                                  "version, name, spins, fields, couplings, offset, terms, " +
                                  "constraint, names, objective, known_optimum, known_solution, " +
                                  "reference_solution");
  check_json("\"couplings\": 1", "f:2: couplings: expected an array, found 1");
  check_json("\"couplings\": [[0, 1, 1],\n[0, 3, 1]]",
             "f:3: couplings[1][1]: expected a spin index below 3, found 3");
  check_json("\"couplings\": [[0, 1, 1],\n[0, -1, 1]]",
             "f:3: couplings[1][1]: expected a spin index below 3, found -1");
  check_json("\"couplings\": [\n[0, 1.5, 1]]",
             "f:3: couplings[0][1]: expected a spin index below 3, found 1.5");
  check_json("\"couplings\": [\n[0, 1]]",
             "f:3: couplings[0]: expected a triple [i, j, J], found an array of 2");
  check_json("\"couplings\": [\n[0, 1, \"1\"]]",
             "f:3: couplings[0][2]: expected a number, found \"1\"");
  check_json("\"couplings\": [\n[1, 1, 1]]", "f:3: couplings[0]: couples spin 1 with itself");
  check_json("\"couplings\": [[0, 1, 1],\n[1, 2, 1],\n[1, 0, 1]]",
             "f:4: couplings[2]: couples 0 and 1 again, after couplings[0]");
  check_json("\"couplings\": [[0, 1, 1],\n\n[1, 2, 1]],\n\"offset\": null",
             "f:5: offset: expected a number, found null");
  check_json("\"constraint\": {\"offset\": 1,\n\"couplings\": [[0, 9, 1]]}",
             "f:3: constraint.couplings[0][1]: expected a spin index below 3, found 9");
  check_json("\"constraint\": {\"scale\": 1}",
             "f:2: constraint.scale: unknown member; known here: fields, couplings, offset");
  check_json("\"fields\": [1, 2]", "f:2: fields: expected an array of 3, found an array of 2");
  check_json("\"fields\": [1, null, 2]", "f:2: fields[1]: expected a number, found null");
  check_json("\"names\": [\"a\", \"b\", 3]", "f:2: names[2]: expected a string, found 3");
  check_json("\"names\": [\"a\", \"b\", \"b\"]", "f: spin 2 has the same name as another, \"b\"");
  check_json("\"known_optimum\": 0,\n\"known_solution\": [1, 1, 0]",
             "f:3: known_solution[2]: expected 1 or -1, found 0");
  check_json("\"known_optimum\": 0, \"known_solution\": [1, 1, 1], \"constraint\": {\"offset\": 2}",
             "f: the known solution is infeasible: g = 2");
  check_json("\"objective\": 5", "f:2: objective: expected an object, found 5");
}
