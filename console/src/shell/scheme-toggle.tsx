import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconMonitor, IconMoon, IconSun } from '../components/first-icons.tsx'

const next = { light: 'dark', dark: 'auto', auto: 'light' } as const
const names = { light: 'Light', dark: 'Dark', auto: 'System' }
const icons = { light: IconSun, dark: IconMoon, auto: IconMonitor }

/** Switches between light, dark and the system's colour scheme. */
export function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = icons[colorScheme]
  const label = `Colour scheme: ${names[colorScheme]}. Switch to ${names[next[colorScheme]].toLowerCase()}`
  // The browser's own tooltip: Mantine's is 20 kB of the first load.
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      title={label}
      aria-label={label}
      onClick={() => setColorScheme(next[colorScheme])}
    >
      <Icon />
    </ActionIcon>
  )
}
