import { Button, Checkbox, Group, Paper, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { IconPlus } from '../../../components/icons.tsx'
import { useWorkspace } from '../../../data/use-workspace.ts'
import { atLeast } from '../../../data/workspace.ts'
import { kindOf, type Resource, targetOf, titleOf, useBlueprints } from '../../../layouts/destination/blueprints.ts'
import { CreateDestination } from '../../../layouts/destination/create-destination.tsx'
import { healthText, useDestinations } from '../../../layouts/destination/health.tsx'
import { TelegramSetup } from '../../../layouts/destination/telegram-setup.tsx'
import classes from '../watch.module.css'

type WhereToProps = { value: string[]; onChange: (resources: string[]) => void }

/** Destinations of the workspace, or a new one. Without any, alerts are shown in the app only. */
export function WhereTo({ value, onChange }: WhereToProps) {
  const { fullname: workspace, level } = useWorkspace()
  const list = useDestinations(workspace)
  const { items: blueprints } = useBlueprints()
  const [isAdding, setAdding] = useState(false)
  const [connecting, setConnecting] = useState<string>()
  if (list.error) return <ErrorNotice error={list.error} retry={list.reload} />
  if (list.isLoading) return <Skeleton height={90} />
  const created = ({ fullname, blueprint }: Resource) => {
    setAdding(false)
    onChange([...value, fullname])
    if (kindOf(blueprint) === 'telegram' && level === 'owner') setConnecting(fullname)
  }
  const toggle = (fullname: string) =>
    onChange(value.includes(fullname) ? value.filter((one) => one !== fullname) : [...value, fullname])
  return (
    <Stack gap="sm">
      <DestinationCard title="In the app" about="Alerts are always listed under Alerts." isChecked toggle={undefined} />
      {list.items.map((resource) => (
        <DestinationCard
          key={resource.fullname}
          title={resource.meta.title ?? resource.name}
          about={[titleOf(resource.blueprint, blueprints), targetOf(resource), healthText(resource)]
            .filter(Boolean)
            .join(' · ')}
          isChecked={value.includes(resource.fullname)}
          toggle={() => toggle(resource.fullname)}
        />
      ))}
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
    </Stack>
  )
}

type CardProps = { title: string; about: string; isChecked: boolean; toggle: (() => void) | undefined }

function DestinationCard({ title, about, isChecked, toggle }: CardProps) {
  return (
    <Checkbox.Card
      className={classes.destination}
      aria-label={title}
      checked={isChecked}
      disabled={toggle === undefined}
      onClick={() => toggle?.()}
    >
      <Checkbox.Indicator disabled={toggle === undefined} />
      <div>
        <Text fw={550}>{title}</Text>
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      </div>
    </Checkbox.Card>
  )
}
