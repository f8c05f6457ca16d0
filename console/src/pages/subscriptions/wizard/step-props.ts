import type { Draft } from '../model/draft.ts'
import type { Facts } from './steps.ts'

export type StepProps = {
  workspace: string
  draft: Draft
  change: (part: Partial<Draft>) => void
  facts: Facts
  errorOf: (path: string) => string | undefined
}
