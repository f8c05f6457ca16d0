import { Checkbox, Skeleton, Stack, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { ChannelGlyph } from '../../../components/patterns/channel-glyph.tsx'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { atLeast } from '../../../data/workspace.ts'
import { AddDestination } from '../../../layouts/destination/add-destination.tsx'
import { kindOf, type Resource, targetOf, titleOf, useBlueprints } from '../../../layouts/destination/blueprints.ts'
import { HealthStatus, useDestinations } from '../../../layouts/destination/health.tsx'
import { TestButton } from '../../../layouts/destination/test-button.tsx'
import type { StepProps } from './step-props.ts'
import classes from './wizard.module.css'

/** Chooses destinations of the workspace, creates a new one, or continues without. */
export function DestinationsField({ workspace, draft, change, errorOf }: StepProps) {
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
              <ChannelGlyph kind={kindOf(resource.blueprint)} size={36} />
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
