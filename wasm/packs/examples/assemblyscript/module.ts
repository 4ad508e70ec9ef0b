// A fix module in AssemblyScript: proposes python -u for servers that time
// out. The request comes on stdin, the answer goes to stdout, and that is all.

// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_read")
declare function fd_read(file: i32, vectors: usize, count: i32, result: usize): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_write")
declare function fd_write(file: i32, vectors: usize, count: i32, result: usize): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "proc_exit")
declare function proc_exit(code: i32): void;

/** What the compiler calls when an assertion fails. */
export function failed(_message: usize, _file: usize, _line: u32, _column: u32): void {
  proc_exit(1);
}

/** stdin as it is read: a request has at most two megabytes. */
function input(): string {
  const size: usize = 2 << 20;
  const buffer = heap.alloc(size);
  const vector = heap.alloc(12);
  let all: usize = 0;
  while (all < size) {
    store<u32>(vector, <u32>(buffer + all));
    store<u32>(vector + 4, <u32>(size - all));
    if (fd_read(0, vector, 1, vector + 8) != 0) break;
    const n = load<u32>(vector + 8);
    if (n == 0) break;
    all += n;
  }
  return String.UTF8.decodeUnsafe(buffer, all);
}

function output(text: string): void {
  const bytes = String.UTF8.encode(text);
  const vector = heap.alloc(12);
  store<u32>(vector, <u32>changetype<usize>(bytes));
  store<u32>(vector + 4, <u32>bytes.byteLength);
  fd_write(1, vector, 1, vector + 8);
}

// Just enough JSON to find the members of one object. The host writes the
// request, so it is known to be well formed.

/** skip passes over one value and gives the place after it. */
function skip(text: string, at: i32): i32 {
  let depth = 0;
  do {
    const c = text.charAt(at);
    if (c == '"') {
      for (at++; text.charAt(at) != '"'; at++) if (text.charAt(at) == "\\") at++;
    } else if (c == "{" || c == "[") depth++;
    else if (c == "}" || c == "]") depth--;
    at++;
  } while (depth > 0 || (at < text.length && !",:}] \n\t\r".includes(text.charAt(at))));
  return at;
}

function space(text: string, at: i32): i32 {
  while (at < text.length && " \n\t\r,:".includes(text.charAt(at))) at++;
  return at;
}

/** member gives a member's value as it is written, or "". */
function member(object: string, name: string): string {
  if (!object.startsWith("{")) return "";
  let at = space(object, 1);
  while (object.charAt(at) == '"') {
    const key = object.substring(at, skip(object, at));
    at = space(object, skip(object, at));
    if (key == '"' + name + '"') return object.substring(at, skip(object, at));
    at = space(object, skip(object, at));
  }
  return "";
}

/** python tells whether a command is Python, by whatever path. */
function python(command: string): bool {
  const from = max(command.lastIndexOf("/"), max(command.lastIndexOf("\\"), 0));
  const name = command.substring(from + 1, command.length - 1);
  return name == "python" || name == "python3" || name == "python.exe";
}

/** unbuffered tells whether -u is among the arguments already. */
function unbuffered(args: string): bool {
  if (!args.startsWith("[")) return true; // no list to add to
  for (let at = space(args, 1); at < args.length && args.charAt(at) != "]"; at = space(args, skip(args, at))) {
    if (args.substring(at, skip(args, at)) == '"-u"') return true;
  }
  return false;
}

function main(): void {
  const server = member(input(), "server");
  const pointer = member(server, "pointer");
  if (pointer == "" || !python(member(server, "command")) || unbuffered(member(server, "args"))) {
    output('{"abi":1,"fixes":[]}\n');
    return;
  }
  // the pointer without its quotes; escapes stay as they are
  output(
    '{"abi":1,"fixes":[{"id":"python-unbuffered","title":"Let Python write at once",' +
      '"description":"Python holds back what it prints to a pipe. With -u the client gets each line as it is written.",' +
      '"patch":[{"op":"add","path":"' + pointer.substring(1, pointer.length - 1) + '/args/0","value":"-u"}],"confidence":0.6}]}\n',
  );
}

main();
