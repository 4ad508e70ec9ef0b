// The WASI that fix modules get: the standard streams, a clock that stands
// still, random numbers that are always the same, and nothing else. It does
// number by number what native/modules/wasi.go does, so that the same module
// gives the same answer in both.
//
// It knows neither the page nor the worker: bytes in, bytes out.

/** What a module wrote, or why there is no answer. */
export interface Outcome {
  stdout: Uint8Array;
  error: string;
}

const maxStdin = 2 << 20;
const maxStdout = 1 << 20;
const maxStderr = 64 << 10;

const SUCCESS = 0;
const BAD_FILE = 8;
const FAULT = 21;
const INVALID = 28;
const IO_ERROR = 29;
const NO_SEEKING = 70;

const CLOCKS = 4;
const RESOLUTION = 1_000_000n; // nanoseconds, as the next
const NOW = 1_000_000_000n; // Go's runtime refuses to start at zero
const CHARACTER_DEVICE = 2;
const SUBSCRIPTION = 48;
const EVENT = 32;

/** Thrown through a module to end it. */
class Exit extends Error {
  constructor(readonly code: number) {
    super(`it ended with code ${code}`);
  }
}

/** Thrown by a function whose pointer leads out of the memory. */
class OutOfMemory extends Error {}

/**
 * run starts a module on a request. The code must have passed the core's scan,
 * which bounds its memory; its time is bounded by whoever ends the worker.
 */
export function run(code: BufferSource | WebAssembly.Module, request: Uint8Array): Outcome {
  const process = new Process(request);
  const failed = (error: string): Outcome => ({ stdout: new Uint8Array(), error });
  if (request.length > maxStdin) return failed(`the request has ${request.length} bytes, more than ${maxStdin}`);
  try {
    const module = code instanceof WebAssembly.Module ? code : new WebAssembly.Module(code);
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: imports(process) });
    process.memory = instance.exports["memory"] as WebAssembly.Memory;
    (instance.exports["_start"] as () => void)();
  } catch (error) {
    if (process.stdout.over) return failed(`it wrote more than ${maxStdout} bytes`);
    if (!(error instanceof Exit)) return failed(`it stopped: ${error instanceof Error ? error.message : String(error)}`);
    if (error.code !== 0) return failed(`${error.message}: ${process.stderr.tail()}`);
  }
  return { stdout: process.stdout.bytes(), error: "" };
}

/** What one run of a module sees of the world. */
class Process {
  memory!: WebAssembly.Memory;
  readonly stdout = new Bounded(maxStdout);
  readonly stderr = new Bounded(maxStderr);
  readonly random = new Sequence();
  private at = 0;

  constructor(private readonly stdin: Uint8Array) {}

  /** read fills a buffer from stdin and returns how much there was. */
  read(buffer: Uint8Array): number {
    const part = this.stdin.subarray(this.at, this.at + buffer.length);
    buffer.set(part);
    this.at += part.length;
    return part.length;
  }

  /** bytes is a part of memory. Views are made anew each time: growing memory takes old ones away. */
  bytes(at: number, size: number): Uint8Array {
    at >>>= 0;
    size >>>= 0;
    if (at + size > this.memory.buffer.byteLength) throw new OutOfMemory();
    return new Uint8Array(this.memory.buffer, at, size);
  }

  view(at: number, size: number): DataView {
    const bytes = this.bytes(at, size);
    return new DataView(bytes.buffer, bytes.byteOffset, size);
  }

  set32(at: number, value: number): void {
    this.view(at, 4).setUint32(0, value, true);
  }

  set64(at: number, value: bigint): void {
    this.view(at, 8).setBigUint64(0, value, true);
  }

  /** list is an array in memory, checked before it is multiplied out. */
  list(at: number, count: number, size: number): DataView {
    count >>>= 0;
    if (count > this.memory.buffer.byteLength / size) throw new OutOfMemory();
    return this.view(at, count * size);
  }

  /** vectors gives each buffer of a list. */
  *vectors(at: number, count: number): Generator<Uint8Array> {
    const list = this.list(at, count, 8);
    for (let i = 0; i < list.byteLength; i += 8) yield this.bytes(list.getUint32(i, true), list.getUint32(i + 4, true));
  }
}

/** What is written, up to a limit. */
class Bounded {
  over = false;
  private readonly parts: Uint8Array[] = [];
  private size = 0;

  constructor(private readonly limit: number) {}

  add(bytes: Uint8Array): boolean {
    const room = this.limit - this.size;
    if (bytes.length > room) this.over = true;
    const part = bytes.slice(0, room);
    if (part.length > 0) this.parts.push(part);
    this.size += part.length;
    return !this.over;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  /** tail is the last line, for an error message. */
  tail(): string {
    return new TextDecoder().decode(this.bytes()).trim().split("\n").at(-1)?.slice(-200) ?? "";
  }
}

/** splitmix64 from zero. Each call takes whole words and drops what it does not need. */
class Sequence {
  private state = 0n;

  fill(bytes: Uint8Array): void {
    const word = new DataView(new ArrayBuffer(8));
    for (let i = 0; i < bytes.length; i += 8) {
      this.state = BigInt.asUintN(64, this.state + 0x9e3779b97f4a7c15n);
      let z = this.state;
      z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
      z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
      word.setBigUint64(0, z ^ (z >> 31n), true);
      bytes.set(new Uint8Array(word.buffer).subarray(0, bytes.length - i), i);
    }
  }
}

type Import = (...args: number[]) => number;

/** imports are the functions, in the order of core/module's list. */
function imports(p: Process): Record<string, WebAssembly.ImportValue> {
  const onStream = (call: Import): Import => (file, ...rest) => (file! >>> 0 > 2 ? BAD_FILE : call(file!, ...rest));
  const noStrings: Import = (count, size) => {
    p.set32(count!, 0);
    p.set32(size!, 0);
    return SUCCESS;
  };
  const clock = (id: number, at: number, value: bigint): number => {
    if (id >>> 0 >= CLOCKS) return INVALID;
    p.set64(at, value);
    return SUCCESS;
  };
  const clockTime = (id: number, _precision: bigint, at: number) => clock(id, at, NOW);
  const functions: Record<string, Import> = {
    args_get: () => SUCCESS,
    args_sizes_get: noStrings,
    environ_get: () => SUCCESS,
    environ_sizes_get: noStrings,
    clock_res_get: (id, at) => clock(id!, at!, RESOLUTION),
    clock_time_get: clockTime as unknown as Import, // the one with a number of 64 bits that is looked past
    random_get: (at, size) => {
      p.random.fill(p.bytes(at!, size!));
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    poll_oneoff: (from, to, count, result) => poll(p, from!, to!, count!, result!),
    fd_close: onStream(() => SUCCESS),
    fd_fdstat_get: onStream((file, at) => {
      const stat = p.bytes(at!, 24).fill(0);
      stat[0] = CHARACTER_DEVICE;
      stat[8] = file === 0 ? 1 << 1 : 1 << 6; // the right to read, or to write
      return SUCCESS;
    }),
    fd_fdstat_set_flags: onStream(() => SUCCESS),
    fd_filestat_get: onStream((_, at) => {
      const stat = p.bytes(at!, 64).fill(0);
      stat[16] = CHARACTER_DEVICE;
      stat[24] = 1; // links
      return SUCCESS;
    }),
    fd_prestat_get: () => BAD_FILE,
    fd_prestat_dir_name: () => BAD_FILE,
    fd_read: (file, vectors, count, result) => {
      if (file !== 0) return BAD_FILE;
      let read = 0;
      for (const buffer of p.vectors(vectors!, count!)) {
        const n = p.read(buffer);
        read += n;
        if (n < buffer.length) break;
      }
      p.set32(result!, read);
      return SUCCESS;
    },
    fd_seek: onStream(() => NO_SEEKING),
    fd_write: (file, vectors, count, result) => {
      if (file !== 1 && file !== 2) return BAD_FILE;
      const stream = file === 1 ? p.stdout : p.stderr;
      let wrote = 0;
      for (const buffer of p.vectors(vectors!, count!)) {
        wrote += buffer.length;
        if (!stream.add(buffer) && file === 1) throw new Exit(IO_ERROR);
      }
      p.set32(result!, wrote);
      return SUCCESS;
    },
  };
  const guarded = Object.entries(functions).map(([name, call]) => [
    name,
    (...args: number[]) => {
      try {
        return call(...args);
      } catch (error) {
        if (error instanceof OutOfMemory) return FAULT;
        throw error;
      }
    },
  ]);
  return {
    ...Object.fromEntries(guarded),
    proc_exit: (code: number) => {
      throw new Exit(code >>> 0);
    },
  };
}

/** poll says that whatever is waited for has come: a clock that stands still has no later. */
function poll(p: Process, from: number, to: number, count: number, result: number): number {
  if (count === 0) return INVALID;
  const asked = p.list(from, count, SUBSCRIPTION);
  const out = p.list(to, count, EVENT);
  const events = new Uint8Array(out.byteLength); // the two may overlap
  for (let i = 0, at = 0; i < asked.byteLength; i += SUBSCRIPTION, at += EVENT) {
    const kind = asked.getUint8(i + 8);
    if (kind > 2) return INVALID;
    events.set(new Uint8Array(asked.buffer, asked.byteOffset + i, 8), at); // the caller's own mark
    if (kind !== 0 && asked.getUint32(i + 16, true) > 2) events[at + 8] = BAD_FILE;
    events[at + 10] = kind;
  }
  new Uint8Array(out.buffer, out.byteOffset, out.byteLength).set(events);
  p.set32(result, count >>> 0);
  return SUCCESS;
}
