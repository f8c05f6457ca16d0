import { Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ChoiceCards } from '../../components/choice-cards.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useChange } from '../../data/changes.ts'
import { kindOf, offText, type Resource, useBlueprints } from './blueprints.ts'
import { DestinationForm, type DestinationValues } from './destination-form.tsx'

type CreateDestinationProps = {
  workspace: string
  created: (resource: Resource) => unknown
  cancel?: () => void
}

/** Creates a destination: first its kind, then the fields of that kind. Kinds that the operator has not set up are disabled. */
export function CreateDestination({ workspace, created, cancel }: CreateDestinationProps) {
  const { items, isLoading, error, reload } = useBlueprints()
  const [chosen, setChosen] = useState('common.delivery.webhook')
  const save = useChange('saveResource', { notice: 'Destination saved.', after: (resource) => created(resource) })
  if (error && items.length === 0) return <ErrorNotice error={error} retry={reload} />
  if (isLoading) return <Skeleton height={160} />
  const blueprint = items.find(({ fullname }) => fullname === chosen) ?? items[0]
  if (!blueprint) return <Text>This service offers no kinds of destinations.</Text>
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
      <ChoiceCards
        label="Kind"
        choices={items.map((item) => ({
          value: item.fullname,
          label: item.title,
          about: item.configured ? item.description : offText(item),
          isOff: !item.configured,
        }))}
        value={blueprint.fullname}
        onChange={setChosen}
      />
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
