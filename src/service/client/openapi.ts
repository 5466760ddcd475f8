// Made by npm run build:client-types from schemas/openapi.json (0a96eae1b080b9dd2add849305fcf52cb7f72deee2ea1192d6d56030c914f9cf); do not edit.

export interface paths {
  '/explain': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Explains why a plan is invalid, and why operations move after events */
    post: operations['explain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Whether the service works, and its load */
    get: operations['health'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Makes an instance from orders, routings and shifts */
    post: operations['importFiles'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/import/columns': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Suggests the meaning of each column of such files */
    post: operations['columnsOfFiles'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists the benchmarks */
    get: operations['listInstances'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/instances/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A benchmark as a document, with its best known bounds */
    get: operations['showInstance'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Counts and times, in the format of Prometheus */
    get: operations['metrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/optimize': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Searches for a good schedule within a time budget */
    post: operations['optimize'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/repair': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Makes an invalid plan feasible, or repairs one after events */
    post: operations['repair'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/session': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The caller: the name and the role of the token */
    get: operations['showSession'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Lists all shops */
    get: operations['listShops'];
    put?: never;
    /** Opens a shop */
    post: operations['createShop'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The current state of a shop: machines, their next operations, late jobs, the proposal */
    get: operations['showShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/calendar.ics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The current plan as a calendar, for calendar programs that subscribe to it */
    get: operations['calendarOfShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/calendars': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Addresses of calendars to subscribe to: one of the shop, one per machine */
    get: operations['calendarsOfShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Changes of a shop as server-sent events, each called `change` */
    get: operations['followShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/close': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Closes a shop; its story remains */
    post: operations['closeShop'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Reports events to a shop, or computes their cost in a dry run */
    post: operations['reportEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A version as a workbook (xlsx), as its operations (csv) or as a calendar (ics) */
    get: operations['exportShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The changes of the last instants, latest first */
    get: operations['historyOfShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/moves': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The moves of a version, with their causes, a page at a time */
    get: operations['movesOfShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/plan': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A version as a plan: by its number, or the current one at a given time */
    get: operations['planOfShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/proposals/{name}/approve': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Accepts the waiting proposal */
    post: operations['approveProposal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/proposals/{name}/decline': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Declines the waiting proposal; the version before it remains */
    post: operations['declineProposal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/release': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Releases a shop that was quarantined because its computation did not return */
    post: operations['releaseShop'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/starts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Proposes starts chosen by the caller, or computes their cost */
    post: operations['proposeStarts'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/story': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** The story of a shop, in lines */
    get: operations['storyOfShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/undo': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Reverts to an earlier version, except for operations started since */
    post: operations['undoTo'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/view': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** A version in columns, for charts; operations and times are numbers */
    get: operations['viewShop'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/shops/{id}/withdraw': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Withdraws a mistaken report, or corrects it */
    post: operations['withdrawReport'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/validate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Checks whether a plan is complete and feasible, and lists its violations */
    post: operations['validate'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    Benchmark: {
      jobs: number;
      lower_bound: number;
      machines: number;
      name: string;
      operations: number;
      suite: string;
      upper_bound: number;
    };
    CalendarAddress: {
      machine: string | null;
      path: string;
    };
    Caller: {
      name: string;
      /** @enum {string} */
      role: 'view' | 'report' | 'decide';
      shops?: string[];
    };
    Change: {
      by: string | null;
      command: string;
      id: string;
      /** @enum {string} */
      kind: 'opened' | 'proposal' | 'committed' | 'declined' | 'skipped' | 'closed' | 'failed';
      lines: string[];
      makespan: {
        after: number;
        after_date?: components['schemas']['Time'];
        before: number;
        before_date?: components['schemas']['Time'] | null;
      } | null;
      moved: number;
      now: components['schemas']['Time'];
      now_units: number;
      report: boolean;
      role: string | null;
      version: number;
      warnings: string[];
    };
    /** @description A setting of a policy that the service reduced, from `asked` to `used`. */
    ClampedSetting: {
      asked: number | null;
      setting: string;
      used: number;
    };
    /** @description A clock advances the time of the shop: `speed` is the number of shop seconds per wall-clock second (1 for a real shop). It begins at `start`, by default at 0, the beginning of the plan. */
    Clock: {
      speed: number;
      start?: components['schemas']['Time'];
    };
    /** @description A clock advances the time of the shop: `speed` is the number of shop seconds per wall-clock second (1 for a real shop). It begins at `start`, by default at 0, the beginning of the plan. */
    ClockInput: {
      speed: number;
      start?: components['schemas']['TimeInput'];
    };
    /**
     * @example {
     *       "files": [
     *         {
     *           "name": "orders.csv",
     *           "text": "order,machine,minutes\nWO-1,Lathe,30\n"
     *         }
     *       ]
     *     }
     */
    ColumnsRequestInput: {
      files: {
        content?: string;
        name: string;
        text?: string;
      }[];
    };
    /**
     * @example {
     *       "reason": "Job5 has to stay"
     *     }
     */
    DeclineInput: {
      /** @default  */
      reason: string;
    };
    DryRun: {
      now: components['schemas']['Time'];
      skipped: {
        event: components['schemas']['Event'];
        reason: string;
      }[];
      trials: {
        clamped: components['schemas']['ClampedSetting'][];
        late: {
          due: components['schemas']['Time'];
          end: components['schemas']['Time'];
          job: string;
          late_by: number;
          weight: number;
        }[];
        makespan: {
          after: number;
          after_date?: components['schemas']['Time'];
          before: number;
          before_date?: components['schemas']['Time'] | null;
        } | null;
        method: string | null;
        more: number;
        moved: number;
        moves: components['schemas']['Move'][];
        objective: components['schemas']['Objective'];
        policy: string;
        reasons: string[];
        repaired: boolean;
        same: string[];
        starts: {
          job: string | number;
          start: components['schemas']['Time'];
          step: number;
        }[];
        total_weighted_tardiness: {
          after: number;
          before: number;
        } | null;
      }[];
      version: number;
    };
    /** @description A breakdown { machine, from, to }, restored { machine }, duration { job, step, factor or duration }, delay { job, step, until }, arrival { job: { name, operations, due } } or cancellation { job }: docs/reference/disruption.md. */
    Event: {
      kind: string;
    } & {
      [key: string]: unknown;
    };
    /** @description A breakdown { machine, from, to }, restored { machine }, duration { job, step, factor or duration }, delay { job, step, until }, arrival { job: { name, operations, due } } or cancellation { job }: docs/reference/disruption.md. */
    EventInput: {
      kind: string;
    } & {
      [key: string]: unknown;
    };
    /**
     * @example {
     *       "instance": "ft06",
     *       "plan": {
     *         "entries": [
     *           {
     *             "job": "Job1",
     *             "step": 1,
     *             "machine": "Machine2",
     *             "start": 0,
     *             "end": 1
     *           }
     *         ]
     *       },
     *       "events": [
     *         {
     *           "kind": "breakdown",
     *           "machine": "Machine2",
     *           "from": 10,
     *           "to": 25
     *         }
     *       ],
     *       "now": 10
     *     }
     */
    ExplainRequestInput: {
      events?: components['schemas']['EventInput'][];
      instance: components['schemas']['InstanceInput'];
      method?: string;
      most?: number;
      now?: components['schemas']['TimeInput'];
      plan: components['schemas']['PlanInput'];
      policy?: components['schemas']['PolicyInput'];
      seed?: number;
    };
    Explanation: {
      causes: {
        cascades: number;
        code: string;
        explanation: string;
        job?: string;
        machine?: string;
        step?: number;
      }[];
      clamped: components['schemas']['ClampedSetting'][];
      instance: string;
      limits: {
        objective: string;
        within: number;
        without: number;
      } | null;
      lines: string[];
      more_causes: number;
      more_moves: number;
      moves: components['schemas']['Move'][];
      valid: boolean;
    };
    Import: {
      encodings: {
        /** @enum {string} */
        encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
        file: string;
      }[];
      instance: {
        [key: string]: unknown;
      };
      kept: string[];
      machines: number;
      operations: number;
      orders: number;
      overdue: string[];
      remarks: string[];
      shifts_until: components['schemas']['Time'] | null;
      unknown: {
        file: string;
        heading: string;
        /** @enum {string} */
        reason: 'differs within an order' | 'is of a routing, not of an order' | 'is empty';
      }[];
    };
    ImportColumns: {
      files: {
        /** @enum {string} */
        encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
        fields: {
          [key: string]: string;
        };
        file: string;
        headings: string[];
        /** @enum {string} */
        kind: 'orders' | 'routings';
        samples: string[][];
      }[];
    };
    /**
     * @example {
     *       "orders": {
     *         "name": "orders.csv",
     *         "text": "order,machine,minutes\nWO-1,Lathe,30\n"
     *       }
     *     }
     */
    ImportRequestInput: {
      calendar?: {
        [key: string]: unknown;
      };
      epoch?: string;
      horizon?: string;
      map?: {
        [key: string]: unknown;
      };
      name?: string;
      orders: {
        content?: string;
        name: string;
        text?: string;
      };
      routings?: {
        content?: string;
        name: string;
        text?: string;
      };
      zone?: string;
    };
    /** @description Name of a benchmark, or a document of docs/reference/formats.md. */
    InstanceInput:
      | string
      | {
          [key: string]: unknown;
        };
    Move: {
      cause: string;
      end: components['schemas']['Time'];
      job: string;
      /** @enum {string} */
      kind:
        | 'event'
        | 'job'
        | 'machine'
        | 'place'
        | 'earlier'
        | 'limit'
        | 'later'
        | 'new'
        | 'missing'
        | 'fault';
      machine: string;
      operation?: string;
      start: components['schemas']['Time'];
      step: number;
      was: components['schemas']['Time'] | null;
    };
    Moves: {
      moved: number;
      moves: components['schemas']['Move'][];
      next: number | null;
      version: number;
    };
    /**
     * @example {
     *       "id": "hall-3",
     *       "instance": "ft06",
     *       "policy": "default"
     *     }
     */
    NewShopInput: {
      clock?: components['schemas']['ClockInput'] | null;
      id?: string;
      instance: components['schemas']['InstanceInput'];
      plan?: components['schemas']['PlanInput'];
      planner?: string;
      policy?: components['schemas']['PolicyInput'];
      seed?: number;
    };
    /** @enum {string} */
    Objective: 'makespan' | 'total-weighted-tardiness';
    /** @enum {string} */
    ObjectiveInput: 'makespan' | 'total-weighted-tardiness';
    Operation: {
      end: components['schemas']['Time'];
      job: string;
      machine: string;
      operation?: string;
      start: components['schemas']['Time'];
      step: number;
    };
    Optimization: {
      instance: string;
      iterations: number;
      lower_bound: {
        source: string;
        value: number;
      };
      makespan: number;
      objective: string;
      plan: {
        [key: string]: unknown;
      };
      seconds: number;
      /** @enum {string} */
      status: 'optimal' | 'feasible' | 'interrupted';
      upper_bound: {
        source: string;
        value: number;
      } | null;
      value: number;
    };
    /**
     * @example {
     *       "instance": "ft06",
     *       "budget": "1s"
     *     }
     */
    OptimizeRequestInput: {
      budget?:
        | string
        | {
            iterations?: number;
            seconds?: number;
            target?: number;
          };
      instance: components['schemas']['InstanceInput'];
      objective?: components['schemas']['ObjectiveInput'];
      seed?: number;
      start?: components['schemas']['PlanInput'];
    };
    Outcome: {
      change: string | null;
      clamped: components['schemas']['ClampedSetting'][];
      late: {
        due: components['schemas']['Time'];
        end: components['schemas']['Time'];
        job: string;
        late_by: number;
        weight: number;
      }[];
      lines: string[];
      makespan: {
        after: number;
        after_date?: components['schemas']['Time'];
        before: number;
        before_date?: components['schemas']['Time'] | null;
      } | null;
      method: string | null;
      more: number;
      moved: number;
      moves: components['schemas']['Move'][];
      now: components['schemas']['Time'];
      objective: components['schemas']['Objective'];
      reasons: string[];
      repeated: boolean;
      row: components['schemas']['Row'] | null;
      skipped: {
        event: components['schemas']['Event'];
        reason: string;
      }[];
      /** @enum {string} */
      status: 'committed' | 'waiting' | 'queued' | 'skipped' | 'declined' | 'failed';
      total_weighted_tardiness: {
        after: number;
        before: number;
      } | null;
      version: number;
      warnings: string[];
    };
    /** @description Operations with job, step, machine, start and end. */
    PlanInput:
      | {
          [key: string]: unknown;
        }[]
      | {
          [key: string]: unknown;
        };
    /** @description Name of a policy, or changes to the default: docs/reference/repair.md. */
    PolicyInput:
      | string
      | {
          [key: string]: unknown;
        };
    Problem: {
      code: string;
      detail: string;
      hint?: string;
      path?: string;
      status: number;
      title: string;
      type: string;
    };
    Progress: {
      best: number | null;
      iterations: number | null;
      lower_bound: number | null;
      seconds: number;
      /** @enum {string} */
      stage: 'waiting' | 'reading' | 'working';
    };
    Proposal: {
      by: string | null;
      command: string;
      late: {
        due: components['schemas']['Time'];
        end: components['schemas']['Time'];
        job: string;
        late_by: number;
        weight: number;
      }[];
      lines: string[];
      makespan: {
        after: number;
        after_date?: components['schemas']['Time'];
        before: number;
        before_date?: components['schemas']['Time'] | null;
      };
      method: string;
      more: number;
      moved: number;
      moves: components['schemas']['Move'][];
      name: string;
      objective: components['schemas']['Objective'];
      reported_at: number;
      row: components['schemas']['Row'] | null;
      version: number;
      warnings: string[];
    };
    Repair: {
      clamped: components['schemas']['ClampedSetting'][];
      executable: boolean;
      feasible: boolean;
      instance: string;
      instance_after: {
        [key: string]: unknown;
      } | null;
      lost_pins: {
        job: string;
        machine: string;
        operation?: string;
        start: components['schemas']['Time'];
        step: number;
        was: components['schemas']['Time'];
        why: string;
      }[];
      makespan: {
        after: number;
        after_date?: components['schemas']['Time'];
        before: number | null;
        before_date?: components['schemas']['Time'] | null;
      };
      method: string;
      more: number;
      moved: number;
      moves: components['schemas']['Move'][];
      now: components['schemas']['Time'] | null;
      objective: components['schemas']['Objective'];
      phase: string;
      plan: {
        [key: string]: unknown;
      };
      seconds: number;
      skipped: {
        event: components['schemas']['Event'];
        reason: string;
      }[];
      total_weighted_tardiness: {
        after: number;
        before: number | null;
      } | null;
      violations_before: number;
    };
    /**
     * @example {
     *       "instance": "ft06",
     *       "plan": {
     *         "entries": [
     *           {
     *             "job": "Job1",
     *             "step": 1,
     *             "machine": "Machine2",
     *             "start": 0,
     *             "end": 1
     *           }
     *         ]
     *       },
     *       "events": [
     *         {
     *           "kind": "breakdown",
     *           "machine": "Machine2",
     *           "from": 10,
     *           "to": 25
     *         }
     *       ],
     *       "now": 10
     *     }
     */
    RepairRequestInput: {
      events?: components['schemas']['EventInput'][];
      instance: components['schemas']['InstanceInput'];
      method?: string;
      most?: number;
      now?: components['schemas']['TimeInput'];
      plan: components['schemas']['PlanInput'];
      policy?: components['schemas']['PolicyInput'];
      seed?: number;
      with_instance?: boolean;
    };
    /**
     * @example {
     *       "events": [
     *         {
     *           "kind": "breakdown",
     *           "machine": "Machine2",
     *           "from": 10,
     *           "to": 25
     *         }
     *       ],
     *       "now": 10
     *     }
     */
    ReportInput: {
      events: components['schemas']['EventInput'][];
      now?: components['schemas']['TimeInput'];
      row?: components['schemas']['RowInput'];
    };
    /**
     * @description A repair option of a dry run; `shop` is the policy of the shop.
     * @enum {string}
     */
    Row: 'shop' | 'due-dates' | 'few-moves' | 'do-nothing' | 'from-scratch';
    /**
     * @description A repair option of a dry run; `shop` is the policy of the shop.
     * @enum {string}
     */
    RowInput: 'shop' | 'due-dates' | 'few-moves' | 'do-nothing' | 'from-scratch';
    ShopState: {
      /** Format: date-time */
      at: string;
      breakdowns: {
        estimated: boolean;
        from: components['schemas']['Time'];
        from_units: number;
        machine: string;
        to: components['schemas']['Time'];
        to_units: number;
      }[];
      clamped?: components['schemas']['ClampedSetting'][];
      clock: components['schemas']['Clock'] | null;
      id: string;
      instance: string;
      jobs: number;
      last_change: string;
      late: {
        due: components['schemas']['Time'];
        end: components['schemas']['Time'];
        job: string;
        late_by: number;
        weight: number;
      }[];
      machine_states: {
        closed_until: components['schemas']['Time'] | null;
        down_until: components['schemas']['Time'] | null;
        machine: string;
        next: components['schemas']['Operation'][];
        running: components['schemas']['Operation'] | null;
        /** @enum {string} */
        status: 'running' | 'idle' | 'down' | 'closed';
      }[];
      machines: number;
      makespan: components['schemas']['Time'];
      now: components['schemas']['Time'];
      now_units: number;
      objective: components['schemas']['Objective'];
      operations: number;
      proposal: components['schemas']['Proposal'] | null;
      /** @enum {string} */
      status: 'open' | 'closed' | 'failed';
      time_scale: {
        epoch: string;
        unit: number;
        zone: string;
      } | null;
      total_weighted_tardiness: number;
      version: number;
      waits_for: ('command' | 'approval') | null;
      warnings: string[];
    };
    ShopSummary: {
      clamped?: components['schemas']['ClampedSetting'][];
      id: string;
      instance: string;
      jobs: number;
      machines: number;
      makespan: components['schemas']['Time'];
      now: components['schemas']['Time'];
      objective: components['schemas']['Objective'];
      operations: number;
      /** @enum {string} */
      status: 'open' | 'closed' | 'failed';
      version: number;
      waits_for: ('command' | 'approval') | null;
    };
    /** @description Integer in the unit of the shop, or ISO 8601. */
    Time: number | string;
    /** @description Integer in the unit of the shop, or ISO 8601. */
    TimeInput: number | string;
    /**
     * @example {
     *       "version": 1,
     *       "now": 14
     *     }
     */
    UndoInput: {
      now?: components['schemas']['TimeInput'];
      version: number;
    };
    /**
     * @example {
     *       "instance": "ft06",
     *       "plan": {
     *         "entries": [
     *           {
     *             "job": "Job1",
     *             "step": 1,
     *             "machine": "Machine2",
     *             "start": 0,
     *             "end": 1
     *           }
     *         ]
     *       },
     *       "most": 5
     *     }
     */
    ValidateRequestInput: {
      instance: components['schemas']['InstanceInput'];
      most?: number;
      plan: components['schemas']['PlanInput'];
    };
    Validation: {
      causes: {
        cascades: number;
        code: string;
        explanation: string;
        job?: string;
        machine?: string;
        step?: number;
      }[];
      counts: {
        [key: string]: number;
      };
      instance: string;
      lower_bound: {
        source: string;
        value: number;
      } | null;
      makespan: number | null;
      more: number;
      total: number;
      total_weighted_tardiness: number | null;
      upper_bound: {
        source: string;
        value: number;
      } | null;
      valid: boolean;
      warnings: string[];
    };
    /**
     * @example {
     *       "starts": [
     *         {
     *           "job": "Job1",
     *           "step": 2,
     *           "start": 30
     *         }
     *       ],
     *       "now": 12
     *     }
     */
    WishInput: {
      now?: components['schemas']['TimeInput'];
      starts: {
        job: string | number;
        start: components['schemas']['TimeInput'];
        step: number;
      }[];
      version?: number;
    };
    /**
     * @example {
     *       "version": 2,
     *       "now": 12
     *     }
     */
    WithdrawalInput: {
      instead?: components['schemas']['EventInput'][];
      now?: components['schemas']['TimeInput'];
      version: number;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  explain: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ExplainRequestInput'];
      };
    };
    responses: {
      /** @description The answer; as a stream: `progress`, then `result` or `problem`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Explanation'];
          'text/event-stream':
            | components['schemas']['Progress']
            | components['schemas']['Explanation'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  health: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            opening?: number;
            quarantined?: number;
            shop_threads?: {
              busy_seconds: number;
              waiting: number;
            }[];
            shops?: number;
            /** @enum {string} */
            status: 'ok' | 'hanging' | 'ending';
            streams?: number;
            version: string;
            waiting?: number;
            working?: number;
          };
        };
      };
    };
  };
  importFiles: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ImportRequestInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Import'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  columnsOfFiles: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ColumnsRequestInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ImportColumns'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listInstances: {
    parameters: {
      query?: {
        suite?:
          | 'dmu'
          | 'ta'
          | 'abz'
          | 'swv'
          | 'yn'
          | 'ft'
          | 'la'
          | 'orb'
          | 'classic'
          | 'all'
          | 'paper';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Benchmark'][];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  showInstance: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            benchmark: components['schemas']['Benchmark'];
            instance: {
              [key: string]: unknown;
            };
          };
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  metrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Metrics. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  optimize: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OptimizeRequestInput'];
      };
    };
    responses: {
      /** @description The answer; as a stream: `progress`, then `result` or `problem`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Optimization'];
          'text/event-stream':
            | components['schemas']['Progress']
            | components['schemas']['Optimization'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  repair: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RepairRequestInput'];
      };
    };
    responses: {
      /** @description The answer; as a stream: `progress`, then `result` or `problem`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Repair'];
          'text/event-stream': components['schemas']['Progress'] | components['schemas']['Repair'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  showSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Caller'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  listShops: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': (
            | components['schemas']['ShopSummary']
            | {
                id: string;
                /** @enum {string} */
                status: 'unavailable' | 'quarantined';
                trouble: string;
              }
          )[];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  createShop: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['NewShopInput'];
      };
    };
    responses: {
      /** @description Default Response */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ShopSummary'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  showShop: {
    parameters: {
      query?: {
        next?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ShopState'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  calendarOfShop: {
    parameters: {
      query?: {
        key?: string;
        machine?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/calendar': string;
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  calendarsOfShop: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CalendarAddress'][];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  followShop: {
    parameters: {
      query?: {
        after?: string;
      };
      header?: {
        'last-event-id'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Changes, as they occur. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': components['schemas']['Change'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  closeShop: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ShopSummary'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  reportEvents: {
    parameters: {
      query?: {
        'dry-run'?: '0' | '1' | '' | 'true' | 'false';
        policy?: string | string[];
      };
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReportInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Outcome'] | components['schemas']['DryRun'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  exportShop: {
    parameters: {
      query: {
        format: 'xlsx' | 'csv' | 'ics';
        machine?: string;
        version?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The file. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': string;
          'text/calendar': string;
          'text/csv': string;
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  historyOfShop: {
    parameters: {
      query?: {
        most?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Change'][];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  movesOfShop: {
    parameters: {
      query?: {
        from?: string;
        version?: 'proposal';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Moves'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  planOfShop: {
    parameters: {
      query?: {
        time?: string;
        version?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  approveProposal: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Outcome'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  declineProposal: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        id: string;
        name: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DeclineInput'] | null;
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Outcome'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  releaseShop: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            id: string;
          };
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  proposeStarts: {
    parameters: {
      query?: {
        'dry-run'?: '0' | '1' | '' | 'true' | 'false';
      };
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WishInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Outcome'] | components['schemas']['DryRun'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  storyOfShop: {
    parameters: {
      query?: {
        most?: string;
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            lines: string[];
          };
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  undoTo: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UndoInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Outcome'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  viewShop: {
    parameters: {
      query?: {
        version?: 'proposal';
      };
      header?: never;
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            [key: string]: unknown;
          };
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  withdrawReport: {
    parameters: {
      query?: never;
      header?: {
        'idempotency-key'?: string;
      };
      path: {
        id: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WithdrawalInput'];
      };
    };
    responses: {
      /** @description Default Response */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Outcome'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
  validate: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ValidateRequestInput'];
      };
    };
    responses: {
      /** @description The answer; as a stream: `progress`, then `result` or `problem`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Validation'];
          'text/event-stream':
            | components['schemas']['Progress']
            | components['schemas']['Validation'];
        };
      };
      /** @description The request is malformed or invalid. */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request has no token, or an unknown one. */
      401: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The role of the token does not suffice, or the request comes from another site. */
      403: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description Not found. */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request took too long to arrive. */
      408: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request conflicts with the state of the shop. */
      409: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is larger than the service allows. */
      413: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The content is not JSON. */
      415: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The request is well-formed but cannot be done. */
      422: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The caller has too many requests in progress. */
      429: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The headers are too large. */
      431: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
      /** @description The service is busy or stopping, or the work takes too long; Retry-After gives the time to wait. */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/problem+json': components['schemas']['Problem'];
        };
      };
    };
  };
}
