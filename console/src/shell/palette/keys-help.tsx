import { Modal } from '@mantine/core'
import { allEntries } from '../navigation.ts'
import classes from './palette.module.css'

const general: [string[], string][] = [
  [['Ctrl or ⌘', 'K'], 'Search or jump to anything'],
  [['/'], 'Search'],
  [['?'], 'Show these keys'],
  [['Esc'], 'Close a dialog or a menu'],
]
const jumps: [string[], string][] = allEntries.map(({ key, title }) => [['g', key], title])

/** The list of keys. */
export function KeysHelp({ close }: { close: () => void }) {
  return (
    <Modal opened onClose={close} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <KeyList title="General" keys={general} />
      <KeyList title="Jump to" keys={jumps} />
    </Modal>
  )
}

function KeyList({ title, keys }: { title: string; keys: [string[], string][] }) {
  return (
    <section aria-label={title}>
      <h3 className={classes.group}>{title}</h3>
      <dl className={classes.keys}>
        {keys.map(([pressed, what]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
