import { Button, Group, Select, TextInput } from '@mantine/core'
import { auditActions } from '@tocsin/contract'
import { useApiList } from '../../data/lists.ts'
import type { AuditFilters } from './audit-filters.ts'

type FieldsProps = { workspace: string; filters: AuditFilters; setFilters: (filters: AuditFilters) => void }

/** The service filters, because the log is longer than what the page has loaded. */
export function AuditFilterFields({ workspace, filters, setFilters }: FieldsProps) {
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
