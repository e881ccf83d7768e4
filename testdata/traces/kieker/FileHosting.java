import java.util.ArrayList;
import java.util.List;

import kieker.common.record.flow.trace.TraceMetadata;
import kieker.common.record.flow.trace.operation.AfterOperationEvent;
import kieker.common.record.flow.trace.operation.BeforeOperationEvent;
import kieker.common.configuration.Configuration;
import kieker.monitoring.core.configuration.ConfigurationFactory;
import kieker.monitoring.core.controller.IMonitoringController;
import kieker.monitoring.core.controller.MonitoringController;
import kieker.monitoring.core.registry.TraceRegistry;

/**
 * The file hosting system of ten components of Tavares de Sousa 2016 (Figure 7.7), each of which works by sleeping, and its encryption plug-in
 * (section 7.1) with the FileHandler executed a second time. It is instrumented by Kieker's own classes, and written by Kieker's own writers.
 *
 *   java -cp ... FileHosting plugin|hosting SingleSocketTcpWriter PORT
 *   java -cp ... FileHosting plugin|hosting DualSocketTcpWriter PORT PORT
 */
public final class FileHosting {
	private static IMonitoringController kieker;

	private interface Body { void run() throws InterruptedException; }

	/** call records an execution of a component, as the probes of Kieker do, and what is in it. */
	private static void call(final String component, final long works, final Body within) throws InterruptedException {
		final TraceRegistry registry = TraceRegistry.INSTANCE;
		TraceMetadata trace = registry.getTrace();
		final boolean own = trace == null;
		if (own) {
			trace = registry.registerTrace();
			kieker.newMonitoringRecord(trace);
		}
		final String operation = "public void hosting." + component + ".execute()", type = "hosting." + component;
		kieker.newMonitoringRecord(new BeforeOperationEvent(kieker.getTimeSource().getTime(), trace.getTraceId(), trace.getNextOrderId(), operation, type));
		Thread.sleep(works);
		if (within != null) within.run();
		kieker.newMonitoringRecord(new AfterOperationEvent(kieker.getTimeSource().getTime(), trace.getTraceId(), trace.getNextOrderId(), operation, type));
		if (own) registry.unregisterTrace();
	}

	private static Thread beside(final Body body) {
		final Thread t = new Thread(() -> { try { body.run(); } catch (final InterruptedException e) { throw new IllegalStateException(e); } });
		t.start();
		return t;
	}

	private static void plugin() throws InterruptedException {
		call("FileHandler", 500, null);
		final Thread encrypts = beside(() -> call("FileEncrypter", 1000, null));
		final Thread handles = beside(() -> call("FileHandler", 500, null));
		Thread.sleep(100);
		final Thread writes = beside(() -> call("FSWriter", 300, null));
		for (final Thread t : List.of(encrypts, handles, writes)) t.join();
	}

	private static void hosting() throws InterruptedException {
		final List<Thread> background = new ArrayList<>();
		call("HTTPServer", 2, () -> {
			call("AccessControl", 3, null);
			call("UploadManager", 50, () -> call("PluginManager", 60, () -> background.add(beside(() -> call("FileHandler", 80, () -> {
				for (int i = 0; i < 10; i++) call("FileEncrypter", 15, () -> call("FSWriter", 10, null));
			})))));
		});
		Thread.sleep(20);
		call("HTTPServer", 2, () -> {
			call("AccessControl", 3, null);
			call("DirReader", 70, () -> {
				for (int i = 0; i < 15; i++) call("FileReader", 12, () -> call("FileDecrypter", 18, null));
			});
		});
		for (final Thread t : background) t.join();
	}

	public static void main(final String[] args) throws Exception {
		final String writer = "kieker.monitoring.writer.tcp." + args[1];
		final Configuration c = ConfigurationFactory.createSingletonConfiguration();
		c.setProperty("kieker.monitoring.hostname", "host");
		c.setProperty("kieker.monitoring.metadata", "true");
		c.setProperty("kieker.monitoring.writer", writer);
		c.setProperty(writer + ".hostname", "127.0.0.1");
		if (args[1].startsWith("Dual")) {
			c.setProperty(writer + ".port1", args[2]);
			c.setProperty(writer + ".port2", args[3]);
		} else {
			c.setProperty(writer + ".port", args[2]);
		}
		c.setProperty(writer + ".flush", "true");
		kieker = MonitoringController.createInstance(c);
		if ("plugin".equals(args[0])) plugin(); else hosting();
		kieker.terminateMonitoring();
		kieker.waitForTermination(5000);
	}
}
