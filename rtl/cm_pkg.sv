// Types that modules share and that do not depend on the topology. The rest is in the generated
// topology_pkg.
package cm_pkg;
  // Destination of the words of a read.
  typedef enum logic [1:0] {
    LoadTables,
    LoadStates,
    LoadParameters
  } load_e;

  // Source of the words of a write.
  typedef enum logic [1:0] {
    StoreResults,
    StoreStates,
    StoreBest,
    StoreStatus
  } store_e;
endpackage
