import { describe, expect, test } from 'vitest'
import { browserPaths, type Machine } from './browser/harness/browser-paths.ts'

function machine(platform: NodeJS.Platform, files: string[], env: Machine['env'] = {}, home = '/home/ann'): Machine {
  return { platform, env, home, isFile: (path) => files.includes(path) }
}

describe('the tests find the browser of a machine', () => {
  test.each([
    ['/usr/bin/chromium'],
    ['/usr/bin/google-chrome-stable'],
    ['/usr/bin/microsoft-edge'],
    ['/opt/google/chrome/chrome'],
    ['/snap/bin/chromium'],
  ])('on Linux, %s', (path) => {
    expect(browserPaths(machine('linux', [path]))).toEqual([path])
  })

  test('on Linux, one in PATH', () => {
    const path = '/home/ann/bin/google-chrome'
    expect(browserPaths(machine('linux', [path], { PATH: '/bin:/home/ann/bin' }))).toEqual([path])
  })

  test.each([
    ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
    ['/Users/ann/Applications/Chromium.app/Contents/MacOS/Chromium'],
    ['/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'],
  ])('on a Mac, %s', (path) => {
    expect(browserPaths(machine('darwin', [path], {}, '/Users/ann'))).toEqual([path])
  })

  test('on a Mac, one from Homebrew', () => {
    const path = '/opt/homebrew/bin/chromium'
    expect(browserPaths(machine('darwin', [path], { PATH: '/opt/homebrew/bin' }))).toEqual([path])
  })

  test.each([
    ['D:\\Programs\\Google\\Chrome\\Application\\chrome.exe', { ProgramFiles: 'D:\\Programs' }],
    ['C:\\x86\\Microsoft\\Edge\\Application\\msedge.exe', { 'ProgramFiles(x86)': 'C:\\x86' }],
    ['C:\\Users\\ann\\AppData\\Local\\Chromium\\Application\\chrome.exe', {}],
    ['E:\\tools\\chrome.exe', { Path: 'C:\\Windows;E:\\tools' }],
  ])('on Windows, %s', (path, env) => {
    expect(browserPaths(machine('win32', [path], env, 'C:\\Users\\ann'))).toEqual([path])
  })

  test('in a fixed order, each once', () => {
    const files = ['/usr/bin/microsoft-edge', '/usr/bin/google-chrome', '/usr/bin/chromium']
    expect(browserPaths(machine('linux', files, { PATH: '/usr/bin' }))).toEqual(files.toReversed())
  })

  test('or finds none', () => {
    for (const platform of ['linux', 'darwin', 'win32', 'freebsd'] as const)
      expect(browserPaths(machine(platform, []))).toEqual([])
  })
})
