import { Button, Group, Stack } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconArrowRight } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import type { Entity } from '../../../data/queries.ts'
import { KeptFormNotice } from '../../../forms/kept-form-notice.tsx'
import type { Draft } from '../model/draft.ts'
import type { Subscription } from '../model/subscription.ts'
import { PreviewStep } from './preview-step.tsx'
import { useWizard } from './use-wizard.ts'
import { WhatStep } from './what-step.tsx'
import { WhereStep } from './where-step.tsx'
import classes from './wizard.module.css'
import { WizardSteps } from './wizard-steps.tsx'
import { WizardSummary } from './wizard-summary.tsx'

type WizardProps = { workspace: string; initial: Draft; editing?: Entity<Subscription> }

/** Creates or edits a subscription in three steps: what, where, review. */
export function Wizard({ workspace, initial, editing }: WizardProps) {
  const wizard = useWizard(workspace, initial, editing)
  const { draft, change, projectData, errorOf, at, step, saved } = wizard
  const { canStartEarlier } = wizard
  const known = saved ?? editing?.view
  const savedId = known && hasSubjectOf(known, draft) ? known.id : undefined
  const props = { workspace, draft, change, projectData, errorOf, canStartEarlier, savedId }
  if (step === 'review' && saved)
    return (
      <Stack gap="lg">
        <WizardSteps at={at} go={wizard.go} />
        <Section title="Check and activate">
          <PreviewStep subscription={saved} go={wizard.go} />
        </Section>
      </Stack>
    )
  const isFirst = step === 'what'
  return (
    <Stack gap="lg">
      <WizardSteps at={at} go={wizard.go} />
      <KeptFormNotice form={wizard.kept} />
      <div className={classes.columns}>
        <Section title={isFirst ? 'What should Tocsin watch?' : 'Where should it go?'}>
          <Stack gap="lg">
            <ErrorNotice error={projectData.error} />
            {isFirst ? <WhatStep {...props} /> : <WhereStep {...props} hasOptionIssue={wizard.hasOptionIssue} />}
            <ErrorNotice error={wizard.failure} />
            <Group justify="space-between">
              {isFirst ? (
                <span />
              ) : (
                <Button variant="default" onClick={wizard.back}>
                  Back
                </Button>
              )}
              <Button
                onClick={wizard.next}
                loading={wizard.isSaving}
                disabled={projectData.isLoading}
                rightSection={<IconArrowRight size={16} />}
              >
                {isFirst ? 'Next' : editing ? 'Save and review' : 'Review'}
              </Button>
            </Group>
          </Stack>
        </Section>
        <WizardSummary {...props} />
      </div>
    </Stack>
  )
}

/** True if the subscription is to what the draft chooses, so that a test of it shows the draft's message. */
function hasSubjectOf({ project, template, trigger }: Subscription, draft: Draft): boolean {
  const isSame = draft.kind === 'template' ? template === draft.template : trigger === draft.trigger
  return project === draft.project && isSame
}
