// A conversation with LibreOffice in URP over its pipe: one question at a time, each answered before the next.
import { connect, type Socket } from 'node:net';
import {
  exceptionType,
  interfaceType,
  type UnoType,
  UrpCaches,
  UrpDecoder,
  UrpEncoder,
} from './urp-coding.ts';

/** An exception that LibreOffice raised in answer to a question. Its message is for the log. */
export class UnoException extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.name = 'UnoException';
    this.type = type;
  }
}

const LONG_HEADER = 0x80;
const REQUEST = 0x40;
const NEW_TYPE = 0x20;
const EXCEPTION = 0x20;
const NEW_OBJECT = 0x10;
const NEW_THREAD = 0x08;
const WIDE_FUNCTION = 0x04;
const MORE_FLAGS = 0x01;
/** Of a header of one or two bytes, which leaves all but the function as it was in the message before. */
const WIDE_SHORT_FUNCTION = 0x40;
/** Of the further flags: an answer is wanted, and awaited. */
const MUST_REPLY_AND_WAIT = 0xc0;

const HEADER_BYTES = 8;
/** Answers hold names and short messages. */
const LARGEST_BLOCK = 16 * 1024 * 1024;

const XINTERFACE = interfaceType('com.sun.star.uno.XInterface');
const RELEASE = 2;
const OUR_THREAD = Buffer.from('bindery');

/** Before anything else LibreOffice proposes to change the protocol. */
const REQUEST_CHANGE = 4;
const COMMIT_CHANGE = 5;

interface Waiting {
  resolve(reply: UrpDecoder): void;
  reject(error: Error): void;
}

export class UrpConnection {
  private readonly socket: Socket;
  private readonly caches = new UrpCaches();
  private received: Buffer = Buffer.alloc(0);
  private thread: Buffer = Buffer.alloc(0);
  private waiting: Waiting | undefined;
  private failure: Error | undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk: Buffer) => this.heard(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('the connection has ended')));
  }

  static open(path: string): Promise<UrpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(path, () => {
        socket.off('error', reject);
        resolve(new UrpConnection(socket));
      });
      socket.once('error', reject);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  /** Whether this process waits for answers. */
  hold(isHeld: boolean): void {
    if (isHeld) this.socket.ref();
    else this.socket.unref();
  }

  /** Calls the function with that number of an interface; `args` writes what it takes. */
  call(oid: string, type: UnoType, fn: number, args: (to: UrpEncoder) => void): Promise<UrpDecoder> {
    if (this.failure) return Promise.reject(this.failure);
    if (this.waiting) return Promise.reject(new Error('the question before is not answered yet'));
    const message = new UrpEncoder()
      .byte(LONG_HEADER | REQUEST | NEW_TYPE | NEW_OBJECT | NEW_THREAD | MORE_FLAGS)
      .byte(MUST_REPLY_AND_WAIT)
      .byte(fn)
      .type(type)
      .object(oid)
      .thread(OUR_THREAD);
    args(message);
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.send(message);
    });
  }

  /** Lets go of an object; nothing is answered. */
  release(oid: string, type: UnoType): void {
    if (this.failure) return;
    const header = LONG_HEADER | REQUEST | NEW_TYPE | NEW_OBJECT | NEW_THREAD;
    this.send(new UrpEncoder().byte(header).byte(RELEASE).type(type).object(oid).thread(OUR_THREAD));
  }

  /** The object as one that has an interface; empty where it has not. */
  async query(oid: string, type: UnoType): Promise<string> {
    return (await this.call(oid, XINTERFACE, 0, (to) => to.type(type))).anyObject();
  }

  private send(message: UrpEncoder): void {
    const bytes = message.bytes();
    const header = Buffer.alloc(HEADER_BYTES);
    header.writeUInt32BE(bytes.length, 0);
    header.writeUInt32BE(1, 4);
    this.socket.write(Buffer.concat([header, bytes]));
  }

  private heard(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    try {
      while (this.received.length >= HEADER_BYTES) {
        const length = this.received.readUInt32BE(0);
        if (length > LARGEST_BLOCK) throw new RangeError('a block too large');
        if (this.received.length < HEADER_BYTES + length) return;
        const block = this.received.subarray(HEADER_BYTES, HEADER_BYTES + length);
        this.received = this.received.subarray(HEADER_BYTES + length);
        this.readMessage(new UrpDecoder(block, this.caches));
      }
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** LibreOffice puts one message into a block. */
  private readMessage(message: UrpDecoder): void {
    const flags = message.byte();
    if ((flags & LONG_HEADER) === 0) this.readShortRequest(message, flags);
    else if ((flags & REQUEST) !== 0) this.readRequest(message, flags);
    else this.readReply(message, flags);
  }

  private readReply(message: UrpDecoder, flags: number): void {
    if ((flags & NEW_THREAD) !== 0) this.thread = message.thread();
    const waiting = this.waiting;
    this.waiting = undefined;
    if ((flags & EXCEPTION) === 0) {
      waiting?.resolve(message);
      return;
    }
    const { type, message: text } = message.exception();
    waiting?.reject(new UnoException(type, text));
  }

  private readShortRequest(message: UrpDecoder, flags: number): void {
    const low = flags & (WIDE_SHORT_FUNCTION - 1);
    this.answer((flags & WIDE_SHORT_FUNCTION) === 0 ? low : (low << 8) | message.byte());
  }

  private readRequest(message: UrpDecoder, flags: number): void {
    if ((flags & MORE_FLAGS) !== 0) message.byte();
    const fn = (flags & WIDE_FUNCTION) === 0 ? message.byte() : message.short();
    if ((flags & NEW_TYPE) !== 0) message.type();
    if ((flags & NEW_OBJECT) !== 0) message.object();
    if ((flags & NEW_THREAD) !== 0) this.thread = message.thread();
    this.answer(fn);
  }

  /** We own no objects, so what is asked is about the protocol: LibreOffice may propose, and the proposal is refused. */
  private answer(fn: number): void {
    if (fn === REQUEST_CHANGE) this.send(this.reply(0).long(1));
    else if (fn === COMMIT_CHANGE) this.send(refusal(this.reply(EXCEPTION)));
  }

  private reply(outcome: number): UrpEncoder {
    return new UrpEncoder().byte(LONG_HEADER | NEW_THREAD | outcome).thread(this.thread);
  }

  private fail(error: Error): void {
    this.failure ??= error;
    this.socket.destroy();
    this.waiting?.reject(this.failure);
    this.waiting = undefined;
  }
}

/** The protocol as it is needs no context with each question. */
function refusal(reply: UrpEncoder): UrpEncoder {
  // Message, context, the property refused (name and value), reason.
  return reply
    .type(exceptionType('com.sun.star.bridge.InvalidProtocolChangeException'))
    .string('')
    .object('')
    .string('')
    .void()
    .long(1);
}
