import { inject, TestRunner } from 'vitest'
import { isBrowserTest } from './is-browser-test.ts'

type ImportSource = Parameters<TestRunner['importFile']>[1]

/** Skips browser tests if no browser starts. If a browser is required, they run and fail. */
export default class SkippingRunner extends TestRunner {
  private readonly givenPattern = this.config.testNamePattern

  override importFile(filepath: string, source: ImportSource): unknown {
    // If the pattern matches no test of a file, the file is reported as skipped and its hooks do not run.
    const isSkipped = isBrowserTest(filepath) && inject('browser').kind === 'missing' && !inject('isBrowserRequired')
    if (source === 'collect') this.config.testNamePattern = isSkipped ? matchesNothing : this.givenPattern
    return super.importFile(filepath, source)
  }
}

const matchesNothing = /(?!)/
