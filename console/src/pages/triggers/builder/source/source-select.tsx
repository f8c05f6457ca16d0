import { Select, Text } from '@mantine/core'
import type { SourceKind } from '@tocsin/contract'
import { LinkText } from '../../../../components/links.tsx'
import { chainTitle } from '../../../../data/chains.ts'
import { useApiList } from '../../../../data/lists.ts'
import { useWorkspace } from '../../../../data/workspace.ts'

type SourceSelectProps = {
  /** Absent for sources of any kind. */
  kind?: SourceKind | undefined
  value: string
  onChange: (fullname: string) => void
  label?: string
  description?: string
  /** Empty means the source of the trigger. */
  isOptional?: boolean
}

/** Chooses a source: running sources, and sources of the workspace that do not run now. */
export function SourceSelect({ kind, value, onChange, label = 'Source', description, isOptional }: SourceSelectProps) {
  const { fullname: workspace } = useWorkspace()
  const runtime = useApiList('listRuntimeSources', {})
  const custom = useApiList('listCustomSources', { query: { workspace } })
  const options = new Map([
    ...custom.items.filter((source) => kind === undefined || source.kind === kind).map(optionOf),
    ...runtime.items
      .filter((source) => kind === undefined || source.kind === kind)
      .map(({ fullname, title, status }) => optionOf({ fullname, meta: { title }, status: { status } })),
  ])
  const isLoading = runtime.isLoading || custom.isLoading
  const isKnown = options.has(value)
  if (value !== '' && !isKnown) options.set(value, isLoading ? value : `${value} (not available)`)
  if (!isLoading && options.size === 0)
    return (
      <Text size="sm">
        There is no {kind ? chainTitle(kind) : ''} source that you can use.{' '}
        <LinkText to="/w/$workspace/sources/new" params={{ workspace }}>
          Create a source
        </LinkText>{' '}
        with an RPC endpoint first.
      </Text>
    )
  return (
    <Select
      label={label}
      description={description}
      data={[...options].map(([fullname, title]) => ({ value: fullname, label: title }))}
      value={value || null}
      onChange={(fullname) => onChange(fullname ?? '')}
      placeholder={isOptional ? 'Source of the trigger' : 'Choose a source'}
      searchable
      clearable={isOptional === true}
      allowDeselect={isOptional === true}
      error={value !== '' && !isKnown && !isLoading ? 'This source does not exist. Choose another one.' : undefined}
    />
  )
}

type Named = { fullname: string; meta: { title: string }; status: { status: string } }

function optionOf({ fullname, meta, status }: Named): [string, string] {
  const state = status.status === 'running' ? '' : `, ${status.status}`
  return [fullname, `${meta.title} (${fullname}${state})`]
}
