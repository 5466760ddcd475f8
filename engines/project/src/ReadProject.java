import jakarta.xml.bind.annotation.XmlType;
import java.io.FileInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import net.sf.mpxj.ProjectFile;
import net.sf.mpxj.Relation;
import net.sf.mpxj.ResourceAssignment;
import net.sf.mpxj.Task;
import net.sf.mpxj.TimeUnit;
import net.sf.mpxj.mspdi.MSPDIReader;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Reads a file of Microsoft Project with MPXJ, and prints a line with fields separated by tabs for each task, link and
 * assignment; also each element that the published schema, as MPXJ has it in its classes, does not have at that place.
 */
public class ReadProject {
  public static void main(String[] args) throws Exception {
    ProjectFile project = new MSPDIReader().read(args[0]);
    for (Task task : project.getTasks()) {
      if (task.getUniqueID() == 0) continue;
      line("task", task.getUniqueID(), task.getName(), task.getStart(), task.getFinish(), task.getSummary(),
          minutes(task.getDuration(), project), task.getOutlineLevel(), task.getDeadline(),
          task.getParentTask() == null ? "" : task.getParentTask().getUniqueID());
      for (Relation link : task.getPredecessors()) {
        line("link", link.getPredecessorTask().getUniqueID(), task.getUniqueID(), link.getType(),
            minutes(link.getLag(), project));
      }
      for (ResourceAssignment one : task.getResourceAssignments()) {
        line("assignment", task.getUniqueID(), one.getResource().getName(), one.getStart(), one.getFinish(),
            one.getUnits(), one.getWork().convertUnits(TimeUnit.MINUTES, project.getProjectProperties()).getDuration());
      }
    }
    checkOrder(args[0]);
  }

  private static double minutes(net.sf.mpxj.Duration duration, ProjectFile project) {
    return duration.convertUnits(TimeUnit.MINUTES, project.getProjectProperties()).getDuration();
  }

  private static void checkOrder(String file) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    try (FileInputStream input = new FileInputStream(file)) {
      Element root = factory.newDocumentBuilder().parse(input).getDocumentElement();
      checkElement(root, Class.forName("net.sf.mpxj.mspdi.schema.Project"));
    }
  }

  /** Compares the children of an element with the sequence that the schema prescribes. */
  private static void checkElement(Element element, Class<?> type) throws Exception {
    List<String> order = new ArrayList<>();
    for (String name : type.getAnnotation(XmlType.class).propOrder()) order.add(name.toLowerCase());
    int at = 0;
    for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (!(node instanceof Element child)) continue;
      String name = child.getLocalName();
      int place = order.indexOf(name.toLowerCase());
      if (place < at) line("misplaced", element.getLocalName(), name);
      at = Math.max(at, place);
      for (Class<?> inner : type.getDeclaredClasses()) {
        if (inner.getSimpleName().equals(name)) checkElement(child, inner);
      }
    }
  }

  private static void line(Object... fields) {
    List<String> texts = new ArrayList<>();
    for (Object field : fields) texts.add(field == null ? "" : field.toString());
    System.out.println(String.join("\t", texts));
  }
}
