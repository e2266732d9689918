// Types that modules share and no topology changes. What the contract and a topology fix is in the
// generated topology_pkg.
package cm_pkg;
  // Where the words of a read go.
  typedef enum logic [1:0] {
    LoadTables,
    LoadStates,
    LoadParameters
  } load_e;

  // Where the words of a write come from.
  typedef enum logic [1:0] {
    StoreResults,
    StoreStates,
    StoreBest,
    StoreStatus
  } store_e;
endpackage
