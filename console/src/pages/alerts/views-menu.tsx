import { Button, Group, Menu, Modal, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { IconChevronDown, IconPlus, IconTrash } from '../../components/icons.tsx'
import type { AlertFilters } from './filters.ts'
import { useSavedViews } from './saved-views.ts'

type ViewsMenuProps = { workspace: string; filters: AlertFilters; setFilters: (filters: AlertFilters) => void }

/** Filters that need no name, because everybody has them. */
const common: { name: string; filters: AlertFilters }[] = [
  { name: 'Firing', filters: { state: 'firing' } },
  { name: 'Critical', filters: { severity: 'critical' } },
  { name: 'Failed deliveries', filters: { status: 'failed' } },
]

/** Applies, saves and removes views of the feed. */
export function ViewsMenu({ workspace, filters, setFilters }: ViewsMenuProps) {
  const { views, save, remove } = useSavedViews(workspace)
  const [isNaming, { open, close }] = useDisclosure(false)
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={240}>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            Views
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {common.map((view) => (
            <Menu.Item key={view.name} onClick={() => setFilters(view.filters)}>
              {view.name}
            </Menu.Item>
          ))}
          {views.length > 0 && <Menu.Divider />}
          {views.map((view) => (
            <Menu.Item key={view.name} onClick={() => setFilters(view.filters)}>
              {view.name}
            </Menu.Item>
          ))}
          {views.map(({ name }) => (
            <Menu.Item key={name} color="red" leftSection={<IconTrash size={16} />} onClick={() => remove(name)}>
              Remove {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} />} disabled={Object.keys(filters).length === 0} onClick={open}>
            Save this view
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && <NameDialog close={close} save={(name) => save({ name, filters })} />}
    </>
  )
}

function NameDialog({ close, save }: { close: () => void; save: (name: string) => void }) {
  const [name, setName] = useState('')
  const submit = () => {
    save(name.trim())
    close()
  }
  return (
    <Modal opened onClose={close} title="Save this view" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextInput
          label="Name"
          description="The view is kept in this browser."
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={64}
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''}>
            Save view
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
