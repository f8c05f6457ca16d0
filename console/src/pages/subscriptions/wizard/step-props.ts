import type { Draft } from '../model/draft.ts'
import type { ProjectData } from './steps.ts'

/** New values of some fields. A change after a request is a function, because the draft may be another one by then. */
export type DraftChange = Partial<Draft> | ((draft: Draft) => Partial<Draft>)

export type StepProps = {
  workspace: string
  draft: Draft
  change: (part: DraftChange) => void
  projectData: ProjectData
  errorOf: (path: string) => string | undefined
  /** A new subscription to blocks can begin with past blocks. */
  canStartEarlier: boolean
  /** The id of the subscription, once it is saved with this project and trigger. */
  savedId: string | undefined
}
