import { Button, Group, Paper } from '@mantine/core'
import { useState } from 'react'
import { IconPlus } from '../../components/icons.tsx'
import { atLeast, useWorkspace } from '../../data/workspace.ts'
import { kindOf, type Resource } from './blueprints.ts'
import { CreateDestination } from './create-destination.tsx'
import classes from './destination.module.css'
import { TelegramSetup } from './telegram-setup.tsx'

/** Creates a destination inside another form, and connects it if it is a chat. Below admin nothing is shown. */
export function AddDestination({ added }: { added: (resource: Resource) => void }) {
  const { fullname: workspace, level } = useWorkspace()
  const [isAdding, setAdding] = useState(false)
  const [connecting, setConnecting] = useState<string>()
  const created = (resource: Resource) => {
    setAdding(false)
    added(resource)
    if (kindOf(resource.blueprint) === 'telegram' && level === 'owner') setConnecting(resource.fullname)
  }
  return (
    <>
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
    </>
  )
}
