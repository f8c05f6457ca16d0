import type { Draft } from '../model/draft.ts'
import type { ProjectData } from './steps.ts'

export type StepProps = {
  workspace: string
  draft: Draft
  change: (part: Partial<Draft>) => void
  projectData: ProjectData
  errorOf: (path: string) => string | undefined
  /** A new subscription to blocks can begin with past blocks. */
  canStartEarlier: boolean
  /** The id of the subscription, once it is saved with this project and trigger. */
  savedId: string | undefined
}
