package alas;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.flowable.common.engine.api.FlowableException;
import org.flowable.common.engine.api.FlowableObjectNotFoundException;
import org.flowable.common.engine.api.FlowableOptimisticLockingException;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.engine.ManagementService;
import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.impl.util.CommandContextUtil;
import org.flowable.engine.interceptor.CreateExternalWorkerJobAfterContext;
import org.flowable.engine.interceptor.CreateExternalWorkerJobBeforeContext;
import org.flowable.engine.interceptor.CreateExternalWorkerJobInterceptor;
import org.flowable.job.api.AcquiredExternalWorkerJob;
import org.flowable.job.service.impl.persistence.entity.ExternalWorkerJobEntity;

/** The external worker: takes each job as soon as it is committed, asks the stub, and completes it or fails it by name. */
final class Workers implements CreateExternalWorkerJobInterceptor {
  /** The local variable of a task in which the history has the call as it was sent. */
  static final String SENT = "alasCall";

  /** The local variable in which the history has the answers after which a call was repeated. */
  static final String REPEATED = "alasRepeated";

  /** The local variable in which the history has the answer with which such a call ended. */
  static final String ANSWERED = "alasAnswer";

  private static final String ME = "alas";
  private static final int MANY = 200;
  private final Stub stub;
  private final LinkedBlockingQueue<String> topics = new LinkedBlockingQueue<>();
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();
  private final ExecutorService pool = Executors.newFixedThreadPool(32, Workers::daemon);
  private ManagementService management;

  Workers(Stub stub) {
    this.stub = stub;
  }

  void start(ManagementService service) {
    management = service;
    daemon(this::takeJobs).start();
  }

  static Thread daemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  /** The call as it goes to the handler: with the id of the run, which the document does not know. */
  static ObjectNode sent(DelegateExecution execution) {
    if (!(execution.getVariable("call") instanceof ObjectNode call)) {
      throw new FlowableException("set the variable call before " + execution.getCurrentActivityId());
    }
    return call.deepCopy().put("runId", execution.getProcessInstanceBusinessKey());
  }

  @Override
  public void beforeCreateExternalWorkerJob(CreateExternalWorkerJobBeforeContext context) {}

  @Override
  public void afterCreateExternalWorkerJob(CreateExternalWorkerJobAfterContext context) {
    DelegateExecution execution = context.getExecution();
    execution.setVariableLocal(SENT, sent(execution));
    String topic = context.getExternalWorkerJobEntity().getJobHandlerConfiguration();
    Context.getTransactionContext().addTransactionListener(TransactionState.COMMITTED, commands -> offer(topic));
  }

  private void offer(String topic) {
    if (waiting.add(topic)) topics.add(topic);
  }

  private void takeJobs() {
    while (true) {
      try {
        String topic = topics.take();
        waiting.remove(topic);
        var search = management.createExternalWorkerJobAcquireBuilder().topic(topic, Duration.ofHours(1));
        var jobs = search.acquireAndLock(MANY, ME);
        for (AcquiredExternalWorkerJob job : jobs) work(job);
        if (jobs.size() == MANY) offer(topic);
      } catch (InterruptedException end) {
        return;
      } catch (RuntimeException error) {
        System.err.println("worker: " + error);
      }
    }
  }

  private void work(AcquiredExternalWorkerJob job) {
    JsonNode call = (JsonNode) job.getVariables().get(SENT);
    stub.ask(call).thenAcceptAsync(answer -> settle(job, answer), pool);
  }

  /**
   * Hands the answer in. What follows is made exclusive, so that the engine takes one step of an instance at a time;
   * the jobs themselves are not, so that the tasks of an instance run side by side.
   */
  private void settle(AcquiredExternalWorkerJob job, ObjectNode answer) {
    JsonNode error = answer.get("error");
    try {
      management.executeCommand(
          context -> {
            entity(job).setExclusive(true);
            var completion =
                management.createExternalWorkerCompletionBuilder(job.getId(), ME).variables(Map.of("answer", answer));
            if (error == null) completion.complete();
            else completion.bpmnError(error.path("code").asText("Error"));
            return null;
          });
    } catch (FlowableObjectNotFoundException | FlowableOptimisticLockingException interrupted) {
      // A timer or a failure has ended the task meanwhile: nobody waits for the answer.
    } catch (RuntimeException broken) {
      System.err.println("worker: " + broken);
    }
  }

  private static ExternalWorkerJobEntity entity(AcquiredExternalWorkerJob job) {
    var jobs = CommandContextUtil.getProcessEngineConfiguration().getJobServiceConfiguration();
    ExternalWorkerJobEntity found = jobs.getExternalWorkerJobEntityManager().findById(job.getId());
    if (found == null) throw new FlowableObjectNotFoundException("the job has ended");
    return found;
  }
}
