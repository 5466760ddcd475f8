/** A machine as people write them, in JSONPath, after the style of the AWS documentation. */
export const ORDER = {
  Comment: 'An order is sent, or refused',
  StartAt: 'Validate order',
  States: {
    'Validate order': {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:123456789012:function:ValidateOrder',
      TimeoutSeconds: 30,
      Retry: [
        {
          ...{ ErrorEquals: ['Lambda.TooManyRequestsException', 'Busy'], IntervalSeconds: 2 },
          ...{ MaxAttempts: 4, BackoffRate: 2, MaxDelaySeconds: 20, JitterStrategy: 'FULL' },
        },
      ],
      Catch: [{ ErrorEquals: ['Invalid'], Next: 'Rejected' }],
      Next: 'In stock?',
    },
    'In stock?': {
      Type: 'Choice',
      Choices: [
        { Variable: '$.later', BooleanEquals: true, Next: 'Wait a little' },
        {
          And: [
            { Variable: '$.stock', NumericGreaterThan: 0 },
            { Variable: '$.blocked', IsPresent: false },
          ],
          Next: 'Prepare',
        },
      ],
      Default: 'Rejected',
    },
    'Wait a little': { Type: 'Wait', Seconds: 0, Next: 'Prepare' },
    Prepare: {
      Type: 'Parallel',
      Branches: [
        {
          StartAt: 'Charge',
          States: {
            Charge: {
              Type: 'Task',
              Resource: 'arn:aws:states:::lambda:invoke',
              Parameters: {
                FunctionName: 'Charge',
                Payload: { 'order.$': '$.id', currency: 'EUR' },
              },
              ResultSelector: { 'receipt.$': '$.Payload.receipt' },
              End: true,
            },
          },
        },
        {
          StartAt: 'Pack',
          States: {
            Pack: {
              Type: 'Map',
              ItemsPath: '$.lines',
              MaxConcurrency: 2,
              ItemProcessor: {
                StartAt: 'Pack line',
                States: {
                  'Pack line': {
                    Type: 'Task',
                    Resource: 'arn:aws:lambda:us-east-1:123456789012:function:PackLine:live',
                    End: true,
                  },
                },
              },
              End: true,
            },
          },
        },
      ],
      Next: 'Send',
    },
    Send: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Parameters: {
        FunctionName: 'arn:aws:lambda:us-east-1:123456789012:function:Send',
        Payload: { 'receipt.$': '$[0].receipt', 'packed.$': '$[1]' },
      },
      OutputPath: '$.Payload',
      Next: 'Done',
    },
    Done: { Type: 'Succeed' },
    Rejected: { Type: 'Fail', Error: 'OrderRejected', Cause: 'it cannot be sent' },
  },
};

/** One in JSONata, with variables, an output of its own, and values that are put into others. */
export const LOAN = {
  QueryLanguage: 'JSONata',
  StartAt: 'Rate',
  States: {
    Rate: {
      Type: 'Task',
      Resource: 'arn:aws:states:::lambda:invoke',
      Arguments: { FunctionName: 'Rate', Payload: '{% $states.input.person %}' },
      Assign: { score: '{% $states.result.Payload.score %}' },
      Output: '{% $states.input %}',
      Next: 'Good?',
    },
    'Good?': {
      Type: 'Choice',
      Choices: [
        { Condition: "{% $score >= 700 and $states.input.kind = 'house' %}", Next: 'House' },
        { Condition: '{% $score >= 500 %}', Next: 'Small' },
      ],
      Default: 'Deny',
    },
    House: {
      Type: 'Task',
      Resource: 'arn:aws:states:us-east-1:123456789012:activity:House',
      Arguments: { amount: '{% $states.input.amount %}', score: '{% $score %}' },
      Next: 'Book',
    },
    Small: {
      Type: 'Pass',
      Output: { offer: 1000, person: '{% $states.input.person %}' },
      Next: 'Book',
    },
    Book: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:123456789012:function:Book',
      Arguments: { offer: '{% $states.input.offer %}' },
      End: true,
    },
    Deny: { Type: 'Succeed', Output: { denied: true } },
  },
};

/** A job that is asked for until it is done, at most five times. */
export const POLL = {
  QueryLanguage: 'JSONata',
  StartAt: 'Submit',
  States: {
    Submit: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:123456789012:function:Submit',
      Assign: { tries: 0 },
      Next: 'Wait',
    },
    Wait: { Type: 'Wait', Seconds: 0, Assign: { tries: '{% $tries + 1 %}' }, Next: 'Ask' },
    Ask: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:123456789012:function:Ask',
      Catch: [{ ErrorEquals: ['Gone'], Next: 'Lost' }],
      Next: 'Done?',
    },
    'Done?': {
      Type: 'Choice',
      Choices: [
        { Condition: "{% $states.input.status = 'DONE' %}", Next: 'Fetch' },
        { Condition: "{% $states.input.status = 'RUNNING' and $tries < 5 %}", Next: 'Wait' },
      ],
      Default: 'Failed',
    },
    Fetch: {
      Type: 'Task',
      Resource: 'arn:aws:lambda:us-east-1:123456789012:function:Fetch',
      End: true,
    },
    Failed: { Type: 'Fail', Error: 'JobFailed' },
    Lost: { Type: 'Fail', Error: 'JobLost' },
  },
};
