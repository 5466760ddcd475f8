package alas;

import org.flowable.common.engine.api.FlowableOptimisticLockingException;
import org.flowable.job.api.JobInfo;
import org.flowable.job.service.JobServiceConfiguration;
import org.flowable.job.service.impl.asyncexecutor.AsyncRunnableExecutionExceptionHandler;

/** Gives back a job that another transaction came before: it is taken again, and has not failed. */
final class BusyJobs implements AsyncRunnableExecutionExceptionHandler {
  @Override
  public boolean handleException(JobServiceConfiguration jobs, JobInfo job, Throwable exception) {
    if (!(exception instanceof FlowableOptimisticLockingException)) return false;
    jobs.getCommandExecutor()
        .execute(
            context -> {
              JobInfo found = jobs.getJobEntityManager().findById(job.getId());
              if (found != null) jobs.getJobManager().unacquire(found);
              return null;
            });
    return true;
  }
}
