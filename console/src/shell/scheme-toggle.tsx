import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core'
import { IconMonitor, IconMoon, IconSun } from '../components/icons.tsx'

const next = { light: 'dark', dark: 'auto', auto: 'light' } as const
const names = { light: 'Light', dark: 'Dark', auto: 'System' }
const icons = { light: IconSun, dark: IconMoon, auto: IconMonitor }

/** Switches between light, dark and the system's colour scheme. */
export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = icons[colorScheme]
  const label = `Colour scheme: ${names[colorScheme]}. Switch to ${names[next[colorScheme]].toLowerCase()}`
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
