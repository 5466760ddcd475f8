/** Sets of instances by name; anything else is a suite or an instance. */
export const sets = {
  /** What published solvers are compared on; parameters are chosen on others. */
  hard: 'abz7,abz8,swv06,swv10,yn1,yn3,ta15,ta21,ta34,ta41,ta47,ta62,dmu05,dmu20,dmu30,dmu44,dmu50,dmu57,dmu62,dmu68,dmu73,dmu80',
  classic: 'classic',
  'la-orb': 'la,orb',
  quick: 'abz7,swv06,ta21,ta41,dmu05,dmu57',
};
