import { posix, win32 } from 'node:path'

export type Machine = {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  home: string
  isFile(path: string): boolean
}

/** The executables of Chrome, Chromium and Edge on this machine, without duplicates, in order of preference. */
export function browserPaths(machine: Machine): string[] {
  const places = { darwin: macPlaces, win32: windowsPlaces }[String(machine.platform)] ?? linuxPlaces
  return [...new Set(places(machine))].filter((path) => machine.isFile(path))
}

const linuxNames = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'google-chrome-beta',
  'microsoft-edge-stable',
  'microsoft-edge',
]
/** Vendor packages install here. The PATH of a service may not contain the folders of snap and flatpak. */
const linuxFixed = [
  '/opt/google/chrome/chrome',
  '/opt/chromium/chrome',
  '/opt/microsoft/msedge/msedge',
  '/snap/bin/chromium',
  '/var/lib/flatpak/exports/bin/org.chromium.Chromium',
  '/var/lib/flatpak/exports/bin/com.google.Chrome',
]

function linuxPlaces({ env }: Machine): string[] {
  const folders = ['/usr/bin', '/usr/local/bin', ...foldersOnPath(env.PATH, posix)]
  return [...linuxNames.flatMap((name) => folders.map((folder) => posix.join(folder, name))), ...linuxFixed]
}

const macApps = ['Google Chrome', 'Chromium', 'Google Chrome for Testing', 'Google Chrome Beta', 'Microsoft Edge']

function macPlaces({ env, home }: Machine): string[] {
  const folders = ['/Applications', posix.join(home, 'Applications')]
  const apps = macApps.flatMap((name) =>
    folders.map((folder) => posix.join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
  )
  const commands = foldersOnPath(env.PATH, posix).flatMap((folder) =>
    ['chromium', 'google-chrome'].map((name) => posix.join(folder, name)),
  )
  return [...apps, ...commands]
}

const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
]

function windowsPlaces({ env, home }: Machine): string[] {
  const local = env.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local')
  const roots = [env.ProgramFiles ?? 'C:\\Program Files', env['ProgramFiles(x86)'], local]
  const programs = windowsPrograms.flatMap((parts) =>
    roots.flatMap((root) => (root === undefined ? [] : [win32.join(root, ...parts)])),
  )
  const commands = foldersOnPath(env.Path ?? env.PATH, win32).flatMap((folder) =>
    ['chrome.exe', 'chromium.exe', 'msedge.exe'].map((name) => win32.join(folder, name)),
  )
  return [...programs, ...commands]
}

function foldersOnPath(path: string | undefined, { delimiter }: { delimiter: string }): string[] {
  return (path ?? '').split(delimiter).filter(Boolean)
}
