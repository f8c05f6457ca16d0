import { Code, Group, Text } from '@mantine/core'
import { useMemo } from 'react'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { DangerButton } from '../../components/danger-button.tsx'
import { Section } from '../../components/page.tsx'
import { changedColumn } from '../../components/table/changed-column.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import type { Column } from '../../components/table/table-model.ts'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { SecretButton } from './secret-button.tsx'

type Secret = Item<'listProjectSecrets'>

/** Secrets for the providers of this project. The API never returns a value. */
export function SecretsSection({ fullname }: { fullname: string }) {
  const list = useApiList('listProjectSecrets', { fullname })
  const columns = useMemo(() => columnsFor(fullname), [fullname])
  return (
    <Section
      title="Secrets"
      about={
        <>
          API keys for providers. Write <Code>{'{{secrets.name}}'}</Code> in the URL, a header or the body of a
          provider. Nobody can read a value after it is saved.
        </>
      }
      actions={
        <SecretButton fullname={fullname} variant="default">
          Add secret
        </SecretButton>
      }
    >
      <DataTable
        label="Secrets"
        list={list}
        columns={columns}
        rowKey={({ name }) => name}
        empty={<Text c="dimmed">No secrets yet.</Text>}
      />
    </Section>
  )
}

function columnsFor(fullname: string): Column<Secret>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      value: ({ name }) => name,
      cell: ({ name }) => <Code>{name}</Code>,
    },
    changedColumn,
    {
      key: 'actions',
      header: 'Actions',
      value: () => '',
      isActions: true,
      cell: ({ name }) => <Actions fullname={fullname} name={name} />,
    },
  ]
}

function Actions({ fullname, name }: { fullname: string; name: string }) {
  const remove = useChange('deleteProjectSecret', { notice: `Secret ${name} deleted.` })
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <SecretButton fullname={fullname} name={name} size="xs" variant="default">
        Replace
      </SecretButton>
      <ConfirmAction
        title={`Delete secret ${name}?`}
        text="Providers that use it will fail."
        verb="Delete secret"
        act={() => remove.mutateAsync({ fullname, name })}
      >
        {(open) => (
          <DangerButton size="xs" onClick={open} aria-label={`Delete ${name}`}>
            Delete
          </DangerButton>
        )}
      </ConfirmAction>
    </Group>
  )
}
