// LibreOffice's desktop, as far as documents are loaded, stored in another format and closed.
import { interfaceType, type PropertyValues } from './urp-coding.ts';
import { UrpConnection } from './urp-connection.ts';

const CONTEXT = interfaceType('com.sun.star.uno.XComponentContext');
const FACTORY = interfaceType('com.sun.star.lang.XMultiComponentFactory');
const OBJECT = interfaceType('com.sun.star.uno.XInterface');
const LOADER = interfaceType('com.sun.star.frame.XComponentLoader');
const COMPONENT = interfaceType('com.sun.star.lang.XComponent');
const STORABLE = interfaceType('com.sun.star.frame.XStorable');
const CLOSEABLE = interfaceType('com.sun.star.util.XCloseable');

/** Places of functions in their interfaces; 0 to 2 are those of every object. */
const GET_SERVICE_MANAGER = 4;
const CREATE_INSTANCE = 3;
const LOAD_FROM_URL = 3;
const STORE_TO_URL = 8;
const CLOSE = 5;

export class Desktop {
  private readonly connection: UrpConnection;
  private readonly loader: string;

  private constructor(connection: UrpConnection, loader: string) {
    this.connection = connection;
    this.loader = loader;
  }

  static async connect(pipe: string): Promise<Desktop> {
    const connection = await UrpConnection.open(pipe);
    try {
      const root = await connection.query('StarOffice.ComponentContext', OBJECT);
      const context = await connection.query(root, CONTEXT);
      const factory = (await connection.call(context, CONTEXT, GET_SERVICE_MANAGER, () => {})).object();
      const desktop = await connection.call(factory, FACTORY, CREATE_INSTANCE, (to) =>
        to.string('com.sun.star.frame.Desktop').object(context),
      );
      return new Desktop(connection, await connection.query(desktop.object(), LOADER));
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** The document, or undefined where LibreOffice says no more than that it could not be loaded. */
  async load(url: string, properties: PropertyValues): Promise<LoadedDocument | undefined> {
    const reply = await this.connection.call(this.loader, LOADER, LOAD_FROM_URL, (to) =>
      to.string(url).string('_blank').long(0).properties(properties),
    );
    const component = reply.object();
    return component === '' ? undefined : new LoadedDocument(this.connection, component);
  }

  /** Whether this process waits for answers. */
  hold(isHeld: boolean): void {
    this.connection.hold(isHeld);
  }

  close(): void {
    this.connection.close();
  }
}

class LoadedDocument {
  private readonly connection: UrpConnection;
  private readonly component: string;

  constructor(connection: UrpConnection, component: string) {
    this.connection = connection;
    this.component = component;
  }

  async store(url: string, properties: PropertyValues): Promise<void> {
    const storable = await this.connection.query(this.component, STORABLE);
    await this.connection.call(storable, STORABLE, STORE_TO_URL, (to) =>
      to.string(url).properties(properties),
    );
    this.connection.release(storable, STORABLE);
  }

  async close(): Promise<void> {
    const closeable = await this.connection.query(this.component, CLOSEABLE);
    if (closeable !== '') {
      await this.connection.call(closeable, CLOSEABLE, CLOSE, (to) => to.boolean(true));
      this.connection.release(closeable, CLOSEABLE);
    }
    this.connection.release(this.component, COMPONENT);
    this.connection.release(this.component, OBJECT);
  }
}
