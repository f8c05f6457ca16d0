import { Code, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useApiQuery } from '../../data/queries.ts'
import { isObject } from '../../forms/json.ts'
import classes from './builder.module.css'
import type { Builder } from './builder-state.ts'
import { textOf } from './text-of.ts'

const fields = [
  ['title', 'Message title', 1],
  ['short', 'Short text', 1],
  ['long', 'Long text', 3],
] as const
const modes = [
  { value: 'continuous', label: 'Every time' },
  { value: 'once', label: 'Once for each subscription' },
  { value: 'once_per_key', label: 'Once for each key' },
]

/** How the trigger is called and what its alerts say. */
export function MessagePart({ builder: { state, dispatch } }: { builder: Builder; issues: Issue[] }) {
  const { meta, defaults = {} } = state.definition
  const put = (name: string, value: unknown) =>
    dispatch({ type: 'change', part: { defaults: { ...defaults, [name]: value } } })
  const delivery = isObject(defaults.delivery) ? defaults.delivery : {}
  return (
    <Stack gap="md">
      <TextInput
        label="Title"
        value={meta.title}
        onChange={(event) =>
          dispatch({ type: 'change', part: { meta: { ...meta, title: event.currentTarget.value } } })
        }
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={meta.description ?? ''}
        onChange={(event) =>
          dispatch({ type: 'change', part: { meta: { ...meta, description: event.currentTarget.value } } })
        }
      />
      {fields.map(([name, label, minRows]) => (
        <Textarea
          key={name}
          label={label}
          description={
            name === 'title' ? 'Templates over the output, such as {{human.value}} or {{address raw.from}}.' : undefined
          }
          autosize
          minRows={minRows}
          value={textOf(defaults[name])}
          onChange={(event) => put(name, event.currentTarget.value || undefined)}
        />
      ))}
      <Select
        label="How often one subscription is told"
        data={modes}
        value={textOf(delivery.mode) || 'continuous'}
        onChange={(mode) => put('delivery', mode === 'continuous' ? undefined : { ...delivery, mode })}
        allowDeselect={false}
      />
      {delivery.mode === 'once_per_key' && (
        <TextInput
          label="Key"
          description="A path in the raw output, such as to or params.id."
          value={textOf(delivery.keyPath)}
          onChange={(event) => put('delivery', { ...delivery, keyPath: event.currentTarget.value || undefined })}
        />
      )}
      <HelperHelp />
    </Stack>
  )
}

function HelperHelp() {
  const { data } = useApiQuery('getTemplateHelpers')
  return (
    <details className={classes.more}>
      <summary>Helpers in templates</summary>
      <Stack gap={6} component="ul" m={0} pl="md">
        {data?.templating.helpers.map(({ name, description, block, params }) => (
          <li key={name}>
            <Code>{`{{${block ? '#' : ''}${name} …${(params ?? []).map((each) => ` ${each.name}=`).join('')}}}`}</Code>{' '}
            {description}
          </li>
        ))}
      </Stack>
    </details>
  )
}
