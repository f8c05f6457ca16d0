import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconArrowRight, IconCheck } from '../../../components/icons.tsx'
import { Section } from '../../../components/page.tsx'
import type { Entity } from '../../../data/queries.ts'
import { atLeast, useWorkspace } from '../../../data/workspace.ts'
import { KeptFormNotice } from '../../../forms/kept-form-notice.tsx'
import { AddDestination } from '../../../layouts/destination/add-destination.tsx'
import { type Resource, targetOf, titleOf, useBlueprints } from '../../../layouts/destination/blueprints.ts'
import { ChannelGlyph } from '../../../layouts/destination/channel-glyph.tsx'
import { HealthStatus, useDestinations } from '../../../layouts/destination/health.tsx'
import { TestButton } from '../../../layouts/destination/test-button.tsx'
import { SubscriptionSentence } from '../../../layouts/sentence/sentences.tsx'
import { type Draft, payloadOf } from '../model/draft.ts'
import type { Subscription } from '../model/subscription.ts'
import { Options } from './options.tsx'
import { PreviewStep } from './preview-step.tsx'
import { type StepName, type StepProps, steps } from './steps.ts'
import { useWizard } from './use-wizard.ts'
import { WhatStep } from './what-step.tsx'
import classes from './wizard.module.css'

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

/** Step 2: the destinations, and folded below them how often, with which text and when alerts are sent. */
function WhereStep({ hasOptionIssue, ...props }: StepProps & { hasOptionIssue: boolean }) {
  return (
    <Stack gap="lg">
      <DestinationsField {...props} />
      <Options {...props} hasIssue={hasOptionIssue} />
    </Stack>
  )
}

/** The subscription as far as it is chosen, in a sentence beside the steps. */
function WizardSummary({ workspace, draft }: StepProps) {
  const isChosen = draft.kind === 'trigger' ? draft.trigger !== '' : draft.topics.length > 0
  return (
    <aside className={classes.summary} aria-label="Your subscription">
      <Text size="sm" c="dimmed" mb="xs">
        Your subscription
      </Text>
      {isChosen ? (
        <SubscriptionSentence workspace={workspace} subscription={payloadOf(draft, workspace, undefined)} />
      ) : (
        <Text>Choose what to watch.</Text>
      )}
    </aside>
  )
}

/** The steps of the wizard. Finished steps are buttons. */
function WizardSteps({ at, go }: { at: number; go: (step: StepName) => void }) {
  return (
    <nav aria-label="Steps">
      <ol className={classes.steps}>
        {steps.map(({ name, title, about }, place) => (
          <li key={name} aria-current={place === at ? 'step' : undefined} data-reached={place <= at || undefined}>
            {place < at ? (
              <button type="button" className={classes.step} onClick={() => go(name)}>
                <span className={classes.dot} data-done>
                  <IconCheck size={13} />
                </span>
                <StepText title={title} about={about} />
              </button>
            ) : (
              <span className={classes.step}>
                <span className={classes.dot}>{place + 1}</span>
                <StepText title={title} about={about} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function StepText({ title, about }: { title: string; about: string }) {
  return (
    <span>
      <span className={classes.name}>{title}</span> <span className={classes.about}>{about}</span>
    </span>
  )
}

/** Chooses destinations of the workspace, creates a new one, or continues without. */
function DestinationsField({ workspace, draft, change, errorOf }: StepProps) {
  const { level } = useWorkspace()
  const list = useDestinations(workspace)
  const { items: blueprints } = useBlueprints()
  if (list.error && list.items.length === 0) return <ErrorNotice error={list.error} retry={list.reload} />
  if (list.isLoading) return <Skeleton height={140} />
  const elsewhere = draft.resources.filter((name) => !list.items.some(({ fullname }) => fullname === name))
  return (
    <Stack gap="md">
      <Text size="sm">Choose one or more destinations. Without one, the alerts are only listed in the app.</Text>
      <Checkbox.Group
        aria-label="Destinations"
        value={draft.resources}
        onChange={(resources) => change({ resources })}
        error={errorOf('resources')}
      >
        <Stack gap="sm">
          {list.items.map((resource) => (
            <div key={resource.fullname} className={classes.destination}>
              <ChannelGlyph blueprint={resource.blueprint} size={36} />
              <Checkbox
                value={resource.fullname}
                label={resource.meta.title ?? resource.name}
                description={about(resource, titleOf(resource.blueprint, blueprints))}
              />
              <div className={classes.health}>
                <HealthStatus resource={resource} />
                {atLeast(level, 'admin') && (
                  <TestButton fullname={resource.fullname} title={resource.meta.title ?? resource.name} />
                )}
              </div>
            </div>
          ))}
          {elsewhere.map((name) => (
            <Checkbox key={name} value={name} label={name} description="In another workspace" />
          ))}
        </Stack>
      </Checkbox.Group>
      <AddDestination added={({ fullname }) => change(({ resources }) => ({ resources: [...resources, fullname] }))} />
    </Stack>
  )
}

function about(resource: Resource, kind: string): string {
  return [kind, targetOf(resource), resource.remark ?? resource.health?.lastError].filter(Boolean).join(' · ')
}
