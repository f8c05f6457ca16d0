import { Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { auditActions } from '@tocsin/contract'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconUsers } from '../../components/icons.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/workspace.ts'
import { WorkspaceTabs } from '../../layouts/workspace-tabs.tsx'
import type { AuditFilters } from './audit-filters.ts'

type Entry = Item<'listAudit'>

const pageSize = 100

const columns: Column<Entry>[] = [
  { key: 'at', header: 'Time', value: ({ at }) => at, cell: ({ at }) => <RelativeTime at={at} /> },
  { key: 'actor', header: 'Who', value: ({ actor }) => actor.name },
  {
    key: 'action',
    header: 'Action',
    value: ({ action }) => action,
    cell: ({ action }) => <Text style={{ whiteSpace: 'nowrap' }}>{action}</Text>,
  },
  {
    key: 'fullname',
    header: 'What',
    value: ({ fullname }) => fullname,
    cell: ({ fullname }) => <span className="mono">{fullname}</span>,
  },
  {
    key: 'paths',
    header: 'Changed fields',
    value: ({ paths }) => paths.join(', '),
    cell: ({ paths }) => <Paths paths={paths} />,
  },
  { key: 'ip', header: 'IP address', value: ({ ip }) => ip },
]

export function AuditPage() {
  const { fullname, meta } = useWorkspace()
  const filters = useSearch({ from: '/shell/w/$workspace/audit' })
  const navigate = useNavigate()
  const setFilters = (search: AuditFilters) =>
    void navigate({ to: '/w/$workspace/audit', params: { workspace: fullname }, search })
  const { before, ...exact } = filters
  const query = { ...exact, ...(before !== undefined && { before: new Date(before).toISOString() }), limit: pageSize }
  const list = useApiList('listAudit', { fullname, query })
  return (
    <Page title={meta.title ?? fullname} about="Who changed what in this workspace, newest first.">
      <WorkspaceTabs workspace={fullname} />
      <AuditFilterFields workspace={fullname} filters={filters} setFilters={setFilters} />
      <DataTable
        label="Audit log"
        list={list}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon={IconUsers}
            title="No entries"
            text="No change matches these filters, or none was made yet."
          />
        }
      />
    </Page>
  )
}

const pathsShown = 5

function Paths({ paths }: { paths: string[] }) {
  const more = paths.length - pathsShown
  return (
    <Text size="sm" className="mono" title={paths.join('\n')} style={{ overflowWrap: 'anywhere' }}>
      {paths.slice(0, pathsShown).join(', ')}
      {more > 0 && ` and ${more} more`}
    </Text>
  )
}

type FieldsProps = { workspace: string; filters: AuditFilters; setFilters: (filters: AuditFilters) => void }

/** The service filters, because the log is longer than what the page has loaded. */
function AuditFilterFields({ workspace, filters, setFilters }: FieldsProps) {
  const { items: members } = useApiList('listAcl', { workspace })
  const people = members.map(({ user }) => ({ value: user.id, label: user.email ?? user.name }))
  const { actor, action, before } = filters
  const set = (name: keyof AuditFilters, value: string | null) => {
    const { [name]: _before, ...rest } = filters
    setFilters(value === null || value === '' ? rest : { ...rest, [name]: value })
  }
  return (
    <Group gap="xs" mb="sm" align="flex-end">
      <Select
        label="Who"
        placeholder="Everybody"
        data={people}
        value={actor ?? null}
        onChange={(value) => set('actor', value)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear who' }}
      />
      <Select
        label="Action"
        placeholder="All actions"
        data={auditActions}
        value={action ?? null}
        onChange={(value) => set('action', value)}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear action' }}
      />
      <TextInput
        label="Before"
        type="datetime-local"
        value={before ?? ''}
        onChange={(event) => set('before', event.currentTarget.value)}
      />
      {Object.keys(filters).length > 0 && (
        <Button variant="subtle" onClick={() => setFilters({})}>
          Clear filters
        </Button>
      )}
    </Group>
  )
}
