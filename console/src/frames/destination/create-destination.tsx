import { Group, Radio, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../data/changes.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { type Blueprint, kindOf, type Resource, useBlueprints } from './blueprints.ts'
import classes from './destination.module.css'
import { DestinationForm, type DestinationValues } from './destination-form.tsx'

type CreateDestinationProps = {
  workspace: string
  created: (resource: Resource) => unknown
  cancel?: () => void
}

/** A new place to deliver to: first which kind, then what that kind needs. */
export function CreateDestination({ workspace, created, cancel }: CreateDestinationProps) {
  const { items, isLoading, error, reload } = useBlueprints()
  const [chosen, setChosen] = useState('common.delivery.webhook')
  const save = useChange('saveResource', { said: 'The destination was saved.', after: (resource) => created(resource) })
  if (error) return <ErrorNotice error={error} retry={reload} />
  if (isLoading) return <Skeleton height={160} />
  const blueprint = items.find(({ fullname }) => fullname === chosen) ?? items[0]
  if (!blueprint) return <Text>This service has no kinds of destinations.</Text>
  const create = ({ title, name, data }: DestinationValues) => {
    const fullname = `${workspace}.${name}`
    const meta = title.trim() === '' ? {} : { title }
    const given = blueprint.external ? {} : { data }
    return save.mutateAsync({
      fullname,
      body: { name, fullname, workspace, blueprint: blueprint.fullname, meta, ...given },
    })
  }
  return (
    <Stack gap="md">
      <KindChoice blueprints={items} value={blueprint.fullname} onChange={setChosen} />
      <DestinationForm
        key={blueprint.fullname}
        blueprint={blueprint}
        initial={{ title: '', name: kindOf(blueprint.fullname), data: {} }}
        isNew
        verb={blueprint.external ? 'Save and connect' : 'Save destination'}
        save={create}
        cancel={cancel}
      />
    </Stack>
  )
}

type KindChoiceProps = { blueprints: Blueprint[]; value: string; onChange: (fullname: string) => void }

function KindChoice({ blueprints, value, onChange }: KindChoiceProps) {
  return (
    <Radio.Group label="Kind" value={value} onChange={onChange}>
      <div className={classes.kinds}>
        {blueprints.map(({ fullname, title, description }) => (
          <Radio.Card key={fullname} value={fullname} className={classes.kind} aria-label={title}>
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div>
                <Text fw={550}>{title}</Text>
                <Text size="sm" c="dimmed">
                  {description}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  )
}
