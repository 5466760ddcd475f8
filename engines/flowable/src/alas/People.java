package alas;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.flowable.bpmn.model.ReceiveTask;
import org.flowable.bpmn.model.UserTask;
import org.flowable.common.engine.api.FlowableObjectNotFoundException;
import org.flowable.common.engine.api.FlowableOptimisticLockingException;
import org.flowable.common.engine.impl.cfg.TransactionState;
import org.flowable.common.engine.impl.context.Context;
import org.flowable.engine.ProcessEngine;
import org.flowable.engine.delegate.event.AbstractFlowableEngineEventListener;
import org.flowable.engine.delegate.event.FlowableActivityEvent;
import org.flowable.engine.impl.persistence.entity.ExecutionEntity;
import org.flowable.engine.impl.util.CommandContextUtil;

/** Plays those who send messages and give approvals: asks the stub when a receive task or a user task begins. */
final class People extends AbstractFlowableEngineEventListener {
  private static final int TIMES = 200;
  private final Stub stub;
  private final ProcessEngine engine;
  private final ExecutorService pool = Executors.newCachedThreadPool(Workers::daemon);

  People(Stub stub, ProcessEngine engine) {
    this.stub = stub;
    this.engine = engine;
  }

  @Override
  protected void activityStarted(FlowableActivityEvent event) {
    ExecutionEntity execution =
        CommandContextUtil.getExecutionEntityManager().findById(event.getExecutionId());
    boolean isMessage = execution.getCurrentFlowElement() instanceof ReceiveTask;
    if (!isMessage && !(execution.getCurrentFlowElement() instanceof UserTask)) return;
    ObjectNode call = Workers.sent(execution);
    execution.setVariableLocal(Workers.SENT, call);
    String id = execution.getId();
    Context.getTransactionContext()
        .addTransactionListener(
            TransactionState.COMMITTED,
            commands -> stub.ask(call).thenAcceptAsync(answer -> settle(id, isMessage, answer), pool));
  }

  private void settle(String executionId, boolean isMessage, ObjectNode answer) {
    for (int time = 1; time <= TIMES; time++) {
      try {
        complete(executionId, isMessage, Map.of("answer", answer));
        return;
      } catch (FlowableOptimisticLockingException busy) {
        pause();
      } catch (FlowableObjectNotFoundException interrupted) {
        return;
      } catch (RuntimeException broken) {
        System.err.println("people: " + broken);
        return;
      }
    }
  }

  private void complete(String executionId, boolean isMessage, Map<String, Object> variables) {
    if (isMessage) {
      engine.getRuntimeService().trigger(executionId, variables);
      return;
    }
    var task = engine.getTaskService().createTaskQuery().executionId(executionId).singleResult();
    if (task != null) engine.getTaskService().complete(task.getId(), variables);
  }

  private static void pause() {
    try {
      Thread.sleep(5);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
