import { Checkbox, Skeleton, Stack, Text } from '@mantine/core'
import type { Dispatch, SetStateAction } from 'react'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useWorkspace } from '../../../data/workspace.ts'
import { AddDestination } from '../../../layouts/destination/add-destination.tsx'
import { targetOf, titleOf, useBlueprints } from '../../../layouts/destination/blueprints.ts'
import { healthText, useDestinations } from '../../../layouts/destination/health.tsx'
import classes from '../watch.module.css'

type WhereToProps = { value: string[]; onChange: Dispatch<SetStateAction<string[]>> }

/** Destinations of the workspace, or a new one. Without any, alerts are shown in the app only. */
export function WhereTo({ value, onChange }: WhereToProps) {
  const { fullname: workspace } = useWorkspace()
  const list = useDestinations(workspace)
  const { items: blueprints } = useBlueprints()
  if (list.error && list.items.length === 0) return <ErrorNotice error={list.error} retry={list.reload} />
  if (list.isLoading) return <Skeleton height={90} />
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
      <AddDestination added={({ fullname }) => onChange((resources) => [...resources, fullname])} />
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
