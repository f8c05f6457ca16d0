/** The program of the threads. */
import { answerTasks } from './answer-tasks.ts'
import { tasks } from './tasks.ts'

answerTasks(tasks)
