import { Button, Checkbox, Group, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconPlus } from '../../../components/icons.tsx'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { atLeast } from '../../../data/workspace.ts'
import { kindOf, type Resource, targetOf, titleOf, useBlueprints } from '../../../layouts/destination/blueprints.ts'
import { CreateDestination } from '../../../layouts/destination/create-destination.tsx'
import { healthText, useDestinations } from '../../../layouts/destination/health.tsx'
import { TelegramSetup } from '../../../layouts/destination/telegram-setup.tsx'
import { TestButton } from '../../../layouts/destination/test-button.tsx'
import type { StepProps } from './step-props.ts'
import classes from './wizard.module.css'

/** Chooses destinations of the workspace, creates a new one, or continues without. */
export function DestinationStep({ workspace, draft, change, errorOf }: StepProps) {
  const { level } = useWorkspace()
  const list = useDestinations(workspace)
  const { items: blueprints } = useBlueprints()
  const [isAdding, setAdding] = useState(false)
  const [connecting, setConnecting] = useState<string>()
  if (list.error) return <ErrorNotice error={list.error} retry={list.reload} />
  if (list.isLoading) return <Skeleton height={140} />
  const created = (resource: Resource) => {
    setAdding(false)
    change({ resources: [...draft.resources, resource.fullname] })
    if (kindOf(resource.blueprint) === 'telegram' && level === 'owner') setConnecting(resource.fullname)
  }
  const elsewhere = draft.resources.filter((name) => !list.items.some(({ fullname }) => fullname === name))
  return (
    <Stack gap="md">
      <Text size="sm">
        Your alerts are always listed in the app. Choose where else to send them. You can also continue without a
        destination.
      </Text>
      <Checkbox.Group
        aria-label="Destinations"
        value={draft.resources}
        onChange={(resources) => change({ resources })}
        error={errorOf('resources')}
      >
        <Stack gap="sm">
          {list.items.map((resource) => (
            <Group key={resource.fullname} justify="space-between" align="flex-start" gap="xs">
              <Checkbox
                value={resource.fullname}
                label={resource.meta.title ?? resource.name}
                description={about(resource, titleOf(resource.blueprint, blueprints))}
              />
              {atLeast(level, 'admin') && (
                <TestButton fullname={resource.fullname} title={resource.meta.title ?? resource.name} />
              )}
            </Group>
          ))}
          {elsewhere.map((name) => (
            <Checkbox key={name} value={name} label={name} description="In another workspace" />
          ))}
        </Stack>
      </Checkbox.Group>
      {connecting !== undefined && (
        <Paper className={classes.inset} aria-label="Connect Telegram" component="section">
          <TelegramSetup fullname={connecting} isConnected={false} />
        </Paper>
      )}
      {isAdding && (
        <Paper className={classes.inset} aria-label="New destination" component="section">
          <CreateDestination workspace={workspace} created={created} cancel={() => setAdding(false)} />
        </Paper>
      )}
      {!isAdding && atLeast(level, 'admin') && (
        <Group>
          <Button variant="default" leftSection={<IconPlus />} onClick={() => setAdding(true)}>
            Add destination
          </Button>
        </Group>
      )}
      <TextInput
        label="Title of the subscription"
        description="Optional. Shown in the list of subscriptions."
        value={draft.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
        error={errorOf('title')}
      />
    </Stack>
  )
}

function about(resource: Resource, kind: string): string {
  return [kind, targetOf(resource), healthText(resource), resource.remark ?? resource.health?.lastError]
    .filter(Boolean)
    .join(' · ')
}
