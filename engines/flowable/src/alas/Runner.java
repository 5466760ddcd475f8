package alas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.flowable.common.engine.api.FlowableException;
import org.flowable.common.engine.api.delegate.event.FlowableEngineEntityEvent;
import org.flowable.common.engine.api.delegate.event.FlowableEngineEventType;
import org.flowable.common.engine.api.delegate.event.FlowableEvent;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.history.HistoryLevel;
import org.flowable.engine.ProcessEngine;
import org.flowable.engine.delegate.event.AbstractFlowableEngineEventListener;
import org.flowable.engine.impl.cfg.StandaloneInMemProcessEngineConfiguration;
import org.flowable.job.api.Job;

/**
 * Runs BPMN documents on Flowable. Each line of standard input is a command
 * {@code {id, runId, text, input, cancelAfter?}}; each line of standard output answers one, when its instance has
 * ended: {@code {id, variables, history}} or {@code {id, broken}}.
 */
public final class Runner {
  /** The message that cancels an instance; documents catch it on the boundary of what they cancel. */
  private static final String CANCEL = "alasCancel";

  private final PrintStream out;
  private final ProcessEngine engine;
  private final Map<String, String> definitions = new ConcurrentHashMap<>();
  private final Map<String, JsonNode> running = new ConcurrentHashMap<>();
  private final ExecutorService pool = Executors.newFixedThreadPool(16, Workers::daemon);
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Workers::daemon);

  private Runner(String base, PrintStream out) {
    this.out = out;
    Stub stub = new Stub(base);
    Caller.stub = stub;
    Workers workers = new Workers(stub);
    engine = configuration(workers).buildProcessEngine();
    workers.start(engine.getManagementService());
    engine.getRuntimeService().addEventListener(new Ends());
    engine.getRuntimeService().addEventListener(new People(stub, engine));
  }

  private static StandaloneInMemProcessEngineConfiguration configuration(Workers workers) {
    var configuration = new StandaloneInMemProcessEngineConfiguration();
    configuration.setJdbcUrl("jdbc:h2:mem:alas;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
    configuration.setJdbcMaxActiveConnections(256);
    configuration.setJdbcMaxIdleConnections(256);
    configuration.setDisableIdmEngine(true);
    configuration.setDisableEventRegistry(true);
    configuration.setHistoryLevel(HistoryLevel.FULL);
    configuration.setCreateExternalWorkerJobInterceptor(workers);
    configuration.setAsyncExecutorActivate(true);
    configuration.setAsyncExecutorCorePoolSize(64);
    configuration.setAsyncExecutorMaxPoolSize(64);
    configuration.setAsyncExecutorThreadPoolQueueSize(4096);
    configuration.setAsyncExecutorNumberOfRetries(1);
    configuration.setCustomAsyncRunnableExecutionExceptionHandlers(List.of(new BusyJobs()));
    configuration.setAsyncExecutorDefaultTimerJobAcquireWaitTime(25);
    configuration.setAsyncExecutorDefaultAsyncJobAcquireWaitTime(25);
    configuration.setAsyncExecutorMaxTimerJobsPerAcquisition(256);
    configuration.setAsyncExecutorMaxAsyncJobsDuePerAcquisition(256);
    return configuration;
  }

  public static void main(String[] arguments) throws Exception {
    // The engine itself prints now and then what it has found: standard output is for answers only.
    PrintStream answers = System.out;
    System.setOut(System.err);
    Runner runner = new Runner(arguments[0], answers);
    runner.say(Stub.JSON.createObjectNode().put("version", ProcessEngine.VERSION));
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode command = Stub.JSON.readTree(line);
      runner.pool.execute(() -> runner.execute(command));
    }
    System.exit(0);
  }

  private synchronized void say(ObjectNode answer) {
    out.println(answer);
    out.flush();
  }

  private void execute(JsonNode command) {
    String runId = command.get("runId").asText();
    running.put(runId, command);
    try {
      var builder = engine.getRuntimeService().createProcessInstanceBuilder();
      builder.processDefinitionId(deployed(command.get("text").asText())).businessKey(runId);
      builder.variable("input", command.get("input")).variable("runId", runId);
      String instanceId = builder.startAsync().getId();
      if (!command.has("cancelAfter")) return;
      long delay = (long) (command.get("cancelAfter").asDouble() * 1000);
      clock.schedule(() -> pool.execute(() -> cancel(instanceId)), delay, TimeUnit.MILLISECONDS);
    } catch (RuntimeException error) {
      broke(runId, String.valueOf(error));
    }
  }

  // One at a time: two documents of one name would be given the same version.
  private synchronized String deployed(String text) {
    return definitions.computeIfAbsent(
        text,
        key -> {
          var repository = engine.getRepositoryService();
          String id = repository.createDeployment().addString("workflow.bpmn20.xml", key).deploy().getId();
          var found = repository.createProcessDefinitionQuery().deploymentId(id).list();
          if (found.isEmpty()) throw new FlowableException("the document has no process that can be executed");
          return found.get(0).getId();
        });
  }

  private void cancel(String instanceId) {
    for (int time = 1; time <= 200; time++) {
      try {
        var runtime = engine.getRuntimeService();
        var waiting = runtime.createExecutionQuery().processInstanceId(instanceId).messageEventSubscriptionName(CANCEL);
        var execution = waiting.singleResult();
        if (execution != null) runtime.messageEventReceived(CANCEL, execution.getId());
        return;
      } catch (RuntimeException busy) {
        sleep(10);
      }
    }
  }

  private static void sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void stuck(Job job) {
    var instances = engine.getRuntimeService().createProcessInstanceQuery();
    var instance = instances.processInstanceId(job.getProcessInstanceId()).singleResult();
    if (instance == null) return;
    broke(instance.getBusinessKey(), engine.getManagementService().getDeadLetterJobExceptionStacktrace(job.getId()));
  }

  private void broke(String runId, String why) {
    JsonNode command = running.remove(runId);
    if (command == null) return;
    ObjectNode answer = Stub.JSON.createObjectNode();
    answer.set("id", command.get("id"));
    say(answer.put("broken", why));
  }

  private void ended(String instanceId) {
    var history = engine.getHistoryService();
    var search = history.createHistoricProcessInstanceQuery().processInstanceId(instanceId).includeProcessVariables();
    var instance = search.singleResult();
    JsonNode command = running.remove(instance.getBusinessKey());
    if (command == null) return;
    ObjectNode answer = Stub.JSON.createObjectNode();
    answer.set("id", command.get("id"));
    answer.set("variables", Stub.JSON.valueToTree(instance.getProcessVariables()));
    answer.set("history", History.of(history, instanceId));
    say(answer);
    history.deleteHistoricProcessInstance(instanceId);
  }

  /** Hears when an instance has ended, or can go no further. */
  private final class Ends extends AbstractFlowableEngineEventListener {
    Ends() {
      setOnTransaction(TransactionState.COMMITTED.name());
    }

    @Override
    protected void processCompleted(FlowableEngineEntityEvent event) {
      pool.execute(() -> ended(event.getProcessInstanceId()));
    }

    @Override
    protected void processCompletedWithTerminateEnd(FlowableEngineEntityEvent event) {
      processCompleted(event);
    }

    @Override
    protected void processCompletedWithErrorEnd(FlowableEngineEntityEvent event) {
      processCompleted(event);
    }

    @Override
    public void onEvent(FlowableEvent event) {
      if (event.getType() != FlowableEngineEventType.JOB_MOVED_TO_DEADLETTER) {
        super.onEvent(event);
        return;
      }
      Job job = (Job) ((FlowableEngineEntityEvent) event).getEntity();
      pool.execute(() -> stuck(job));
    }
  }
}
