import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Entity } from '../../../data/queries.ts'
import { ErrorNotice } from '../../../parts/error-notice.tsx'
import { IconArrowRight } from '../../../parts/icons.tsx'
import { Section } from '../../../parts/page.tsx'
import type { Subscription } from '../types.ts'
import { DestinationStep } from './destination-step.tsx'
import type { Draft } from './draft.ts'
import { FiltersStep } from './filters-step.tsx'
import { PreviewStep } from './preview-step.tsx'
import { ProjectStep } from './project-step.tsx'
import { RhythmStep } from './rhythm-step.tsx'
import type { StepProps } from './step-props.ts'
import type { StepName } from './steps.ts'
import { useWizard } from './use-wizard.ts'
import { ValuesStep } from './values-step.tsx'
import { WhatStep } from './what-step.tsx'
import { WizardSteps } from './wizard-steps.tsx'
import { WordsStep } from './words-step.tsx'

type WizardProps = { workspace: string; initial: Draft; editing?: Entity<Subscription> }

const asking: Record<Exclude<StepName, 'preview'>, (props: StepProps) => ReactNode> = {
  project: ProjectStep,
  what: WhatStep,
  values: ValuesStep,
  filters: FiltersStep,
  rhythm: RhythmStep,
  words: WordsStep,
  destination: DestinationStep,
}

/** From a project to a message that arrives, one question at a time; edits walk the same way. */
export function Wizard({ workspace, initial, editing }: WizardProps) {
  const { draft, change, facts, errorOf, steps, at, step, saved, ...wizard } = useWizard(workspace, initial, editing)
  const title = steps[at]?.title ?? ''
  if (step === 'preview' && saved)
    return (
      <Stack gap="md">
        <WizardSteps steps={steps} at={at} go={wizard.go} />
        <Section title={title}>
          <PreviewStep subscription={saved} back={wizard.back} />
        </Section>
      </Stack>
    )
  const Asking = asking[step === 'preview' ? 'destination' : step]
  const verb = step === 'destination' ? (editing ? 'Save and review' : 'Review') : 'Next'
  return (
    <Stack gap="md">
      <WizardSteps steps={steps} at={at} go={wizard.go} />
      <Section title={title}>
        <Stack gap="lg">
          <ErrorNotice error={facts.error} />
          <Asking workspace={workspace} draft={draft} change={change} facts={facts} errorOf={errorOf} />
          <ErrorNotice error={wizard.failure} />
          <Group gap="xs">
            <Button onClick={wizard.next} loading={wizard.isSaving} rightSection={<IconArrowRight size={16} />}>
              {verb}
            </Button>
            {at > 0 && (
              <Button variant="default" onClick={wizard.back}>
                Back
              </Button>
            )}
          </Group>
        </Stack>
      </Section>
    </Stack>
  )
}
