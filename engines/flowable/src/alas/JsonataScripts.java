package alas;

import com.dashjoin.jsonata.Jsonata;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Reader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.script.AbstractScriptEngine;
import javax.script.Bindings;
import javax.script.ScriptContext;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineFactory;
import javax.script.ScriptException;
import javax.script.SimpleBindings;

/**
 * JSONata as a script language of the engine (JSR 223), for script tasks and conditions of sequence flows:
 * {@code scriptFormat="jsonata"} and {@code language="jsonata"}. The variables in scope are bound by name.
 */
public final class JsonataScripts extends AbstractScriptEngine {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Jsonata> PARSED = new ConcurrentHashMap<>();
  private final Factory factory;

  private JsonataScripts(Factory factory) {
    this.factory = factory;
  }

  @Override
  public Object eval(String script, ScriptContext context) throws ScriptException {
    return eval(script, context.getBindings(ScriptContext.ENGINE_SCOPE));
  }

  @Override
  public Object eval(String script, Bindings variables) throws ScriptException {
    try {
      Jsonata parsed = Jsonata.jsonata(script);
      var frame = parsed.createFrame();
      for (Map.Entry<String, Object> variable : variables.entrySet()) {
        frame.bind(variable.getKey(), toJsonata(variable.getValue()));
      }
      Object value = parsed.evaluate(null, frame);
      return value instanceof Boolean ? value : fromJsonata(value);
    } catch (RuntimeException error) {
      throw new ScriptException("JSONata " + script + ": " + error.getMessage());
    }
  }

  /** A variable of the engine as JSONata has it: maps, lists, text, numbers, booleans, null. */
  static Object toJsonata(Object value) {
    Object plain = value instanceof JsonNode node ? JSON.convertValue(node, Object.class) : value;
    return plain == null ? Jsonata.NULL_VALUE : plain;
  }

  /** A result of JSONata as a variable of the engine: JSON for objects and lists, else the plain value. */
  static Object fromJsonata(Object value) {
    if (value == null || value == Jsonata.NULL_VALUE) return null;
    return value instanceof Map || value instanceof List ? JSON.valueToTree(value) : value;
  }

  @Override
  public Object eval(Reader reader, ScriptContext context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Bindings createBindings() {
    return new SimpleBindings();
  }

  @Override
  public ScriptEngineFactory getFactory() {
    return factory;
  }

  /** Makes the script engine; the engine finds it in its configuration. */
  public static final class Factory implements ScriptEngineFactory {
    @Override
    public String getEngineName() {
      return "jsonata";
    }

    @Override
    public String getEngineVersion() {
      return "1";
    }

    @Override
    public List<String> getExtensions() {
      return List.of("jsonata");
    }

    @Override
    public List<String> getMimeTypes() {
      return List.of();
    }

    @Override
    public List<String> getNames() {
      return List.of("jsonata");
    }

    @Override
    public String getLanguageName() {
      return "jsonata";
    }

    @Override
    public String getLanguageVersion() {
      return "2";
    }

    @Override
    public Object getParameter(String key) {
      return "THREADING".equals(key) ? "MULTITHREADED" : null;
    }

    @Override
    public String getMethodCallSyntax(String object, String method, String... arguments) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String getOutputStatement(String text) {
      throw new UnsupportedOperationException();
    }

    @Override
    public String getProgram(String... statements) {
      return String.join(";", statements);
    }

    @Override
    public ScriptEngine getScriptEngine() {
      return new JsonataScripts(this);
    }
  }
}
