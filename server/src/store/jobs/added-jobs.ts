import type { QueueName } from './job.ts'
import type { AddedJob, JobQueue } from './job-queue.ts'
import type { Reservation } from './pump.ts'

/** The jobs that a transaction adds. They start after its commit. */
export class AddedJobs {
  readonly #jobQueue: JobQueue
  readonly #queues = new Set<QueueName>()
  #reserved: { reservation: Reservation; job: AddedJob }[] = []

  constructor(jobQueue: JobQueue) {
    this.#jobQueue = jobQueue
  }

  /** The job queue for one attempt of the transaction. What an earlier attempt added is not stored. */
  openQueue(): JobQueue {
    this.cancel()
    return {
      ...this.#jobQueue,
      noteAdded: (queue) => void this.#queues.add(queue),
      startReserved: (reservation, job) => void this.#reserved.push({ reservation, job }),
    }
  }

  start(): void {
    for (const { reservation, job } of this.#reserved.splice(0)) this.#jobQueue.startReserved(reservation, job)
    for (const queue of this.#queues) this.#jobQueue.noteAdded(queue)
  }

  /** Gives back the slots of jobs that were not started. */
  cancel(): void {
    for (const { reservation } of this.#reserved.splice(0)) reservation.cancel()
  }
}
