import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconMonitor, IconMoon, IconSun } from '../components/icons.tsx'

const next = { light: 'dark', dark: 'auto', auto: 'light' } as const
const names = { light: 'Light', dark: 'Dark', auto: 'As the system' }
const icons = { light: IconSun, dark: IconMoon, auto: IconMonitor }

/** Light, dark, or as the system has it. */
export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = icons[colorScheme]
  const label = `Colours: ${names[colorScheme]}. Change to ${names[next[colorScheme]].toLowerCase()}`
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(next[colorScheme])}
      >
        <Icon />
      </ActionIcon>
    </Tooltip>
  )
}
