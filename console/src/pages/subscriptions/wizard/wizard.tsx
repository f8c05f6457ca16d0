import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconArrowRight } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import type { Entity } from '../../../data/queries.ts'
import { initialValues } from '../../../forms/value-form/read-fields.ts'
import { ValueFields } from '../../../forms/value-form/value-fields.tsx'
import type { Draft } from '../model/draft.ts'
import type { Subscription } from '../model/subscription.ts'
import { AlertsStep } from './alerts-step.tsx'
import { DestinationStep } from './destination-step.tsx'
import { FiltersStep } from './filters-step.tsx'
import { MessageStep } from './message-step.tsx'
import { PolicyStep } from './policy-step.tsx'
import { PreviewStep } from './preview-step.tsx'
import { ProjectStep } from './project-step.tsx'
import type { StepProps } from './step-props.ts'
import { fieldsFor, type StepName } from './steps.ts'
import { useWizard } from './use-wizard.ts'
import { WizardSteps } from './wizard-steps.tsx'

type WizardProps = { workspace: string; initial: Draft; editing?: Entity<Subscription> }

const stepComponents: Record<Exclude<StepName, 'preview'>, (props: StepProps) => ReactNode> = {
  project: ProjectStep,
  alerts: AlertsStep,
  values: ValuesStep,
  filters: FiltersStep,
  policy: PolicyStep,
  message: MessageStep,
  destination: DestinationStep,
}

/** Creates or edits a subscription step by step. */
export function Wizard({ workspace, initial, editing }: WizardProps) {
  const { draft, change, projectData, errorOf, steps, at, step, saved, ...wizard } = useWizard(
    workspace,
    initial,
    editing,
  )
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
  const Step = stepComponents[step === 'preview' ? 'destination' : step]
  const verb = step === 'destination' ? (editing ? 'Save and review' : 'Review') : 'Next'
  return (
    <Stack gap="md">
      <WizardSteps steps={steps} at={at} go={wizard.go} />
      <Section title={title}>
        <Stack gap="lg">
          <ErrorNotice error={projectData.error} />
          <Step {...{ workspace, draft, change, projectData, errorOf }} canStartEarlier={wizard.canStartEarlier} />
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

function ValuesStep({ draft, change, projectData, errorOf }: StepProps) {
  const fields = fieldsFor(draft, projectData)
  const values = initialValues(fields, draft.values)
  const set = (name: string, value: unknown) => change({ values: { ...values, [name]: value } })
  return <ValueFields fields={fields} values={values} onChange={set} errorOf={errorOf} />
}
